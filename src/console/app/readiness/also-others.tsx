/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Check } from "../ui/field.tsx";
import { counted } from "../ui/numbers.ts";
import type { About } from "./about.ts";
import type { Finding } from "./queries.ts";

/** Returns the other tracks that lack the same. */
export const othersOf = ({ code }: Finding, { trackId, alike }: About): readonly string[] =>
  alike(code).filter((id) => id !== trackId);

/** Asks whether what is written is meant for the other tracks that lack it, too. */
export function AlsoOthers({ count, isOn }: { count: number; isOn: Signal<boolean> }) {
  if (count === 0) return null;
  return (
    <Check
      isOn={isOn.value}
      onChange={(is) => {
        isOn.value = is;
      }}
    >
      Also for {counted(count, "other track")} without it
    </Check>
  );
}
