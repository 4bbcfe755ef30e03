/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { toast } from "./toast.tsx";

/** Makes a part of a screen that is loaded when it first shows, for what most visits do not need. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  const begin = () =>
    load().then(
      (part) => {
        loaded.value = part;
      },
      () => toast("A part of this page could not be loaded. Please reload.", { kind: "alert" }),
    );
  return function Later(props: Props) {
    const Part = loaded.value;
    useEffect(() => {
      if (!loaded.peek()) void begin();
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
