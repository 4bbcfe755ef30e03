/** @jsxRuntime automatic @jsxImportSource preact */
import { percent } from "../ui/numbers.ts";
import { keptShares } from "./kept.ts";

/** Says that a track is kept on this device, or how far it is. */
export function KeptMark({ trackId }: { trackId: string }) {
  const share = keptShares.value.get(trackId);
  if (share === undefined) return null;
  return (
    <span class={`mark ${share === 1 ? "good" : ""}`}>
      {share === 1 ? "Kept" : `Keeping, ${percent(share)}`}
    </span>
  );
}
