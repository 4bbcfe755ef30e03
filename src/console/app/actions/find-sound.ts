import type { Span } from "../player/ab.ts";
import { go } from "../router.ts";

/** How long a passage is that music is searched by, in seconds. */
export const [LEAST_SEC, MOST_SEC] = [3, 300];
/** Edges lie on these steps, in seconds. */
export const STEP_SEC = 0.5;

/** Writes a sound and a passage of it for the address of a search: `trk_1@42-62`; all of it: `trk_1@`. */
export const soundText = (id: string, part: Span | undefined): string =>
  part ? `${id}@${part.fromSec}-${part.toSec}` : `${id}@`;

/** Returns the passage with one edge moved, of a sound that ends at `endSec`. The other edge follows as far as it must. */
export function withEdge(part: Span, edge: "from" | "to", sec: number, endSec: number): Span {
  const [last, at] = [lastEdge(endSec), onStep(sec)];
  if (edge === "from") {
    const fromSec = between(at, 0, last - LEAST_SEC);
    const most = Math.min(last, fromSec + MOST_SEC);
    return { fromSec, toSec: between(onStep(part.toSec), fromSec + LEAST_SEC, most) };
  }
  const toSec = between(at, LEAST_SEC, last);
  return { fromSec: between(onStep(part.fromSec), Math.max(0, toSec - MOST_SEC), toSec - LEAST_SEC), toSec };
}

/** Returns the last place of an edge in a sound that ends at `endSec`. */
export const lastEdge = (endSec: number): number => Math.floor(endSec / STEP_SEC) * STEP_SEC;

/** Searches for what sounds like a part of a track. */
export function findSound(trackId: string, span: Span, endSec: number): void {
  const part = withEdge(span, "from", span.fromSec, endSec);
  go(`/library/search?${new URLSearchParams({ like: soundText(trackId, part) })}`);
}

const onStep = (sec: number) => Math.round(sec / STEP_SEC) * STEP_SEC;
const between = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));
