/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { root } from "../first-data.ts";
import { counted } from "../ui/numbers.ts";
import { readShared } from "./shared.ts";

/** How many files other apps have shared. They are shown once the console is there, which sends them. */
export function SharedWaiting() {
  const count = useSignal(0);
  useEffect(() => {
    void readShared(root).then((rows) => {
      count.value = rows.length;
    });
  }, [count]);
  if (count.value === 0) return null;
  return <p class="pocket-amount">{`${counted(count.value, "shared file")}: waiting for a connection`}</p>;
}
