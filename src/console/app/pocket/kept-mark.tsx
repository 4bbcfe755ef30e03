/** @jsxRuntime automatic @jsxImportSource preact */
import { percent } from "../ui/numbers.ts";
import { keptShares } from "./kept.ts";

/** Says that a track is kept on this device, or how far it is. */
export function KeptMark({ trackId }: { trackId: string }) {
  const share = keptShares.value.get(trackId);
  if (share === undefined) return null;
  return <span class={`mark ${share === 1 ? "good" : ""}`}>{wordsOf(share)}</span>;
}

function wordsOf(share: number): string {
  if (share === 1) return "Kept";
  return share === 0 ? "Not kept yet" : `Keeping, ${percent(share)}`;
}
