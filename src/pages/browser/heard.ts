/** A part of a track in seconds: `[from, to]`. */
type Part = [from: number, to: number];

/** After so long without music, a listener starts again: the play before has ended. */
const OVER_MS = 30 * 60_000;
/** The server keeps no more. Beyond that, the smallest gap is closed. */
const MAX_PARTS = 64;
/** Parts with a smaller gap are one: a browser does not resume exactly where it paused. */
const GAP_SEC = 0.3;

/** The parts of a track heard since the listener began. */
export type HeardParts = {
  /** Parts that do not overlap, in order. */
  parts: () => readonly Readonly<Part>[];
  /** Where in the track the listener is, or was last. */
  atSec: () => number;
  /** Call it whenever the time of the track moves by playing. */
  move: (toSec: number, nowMs: number) => void;
  /** Call it when the time jumps: what follows is another part. */
  jump: () => void;
  /** Forgets everything, for another track. */
  clear: () => void;
};

/**
 * Collects what is heard of a track. The element's own `played` does not say that a part is heard again, hours later, in a
 * tab that stayed open.
 */
export function createHeardParts(): HeardParts {
  let parts: Part[] = [];
  let current: Part | undefined;
  let lastMs = 0;
  let atSec = 0;
  const clear = () => {
    parts = [];
    current = undefined;
  };
  return {
    parts: () => merged(current ? [...parts, current] : parts),
    atSec: () => atSec,
    move: (toSec, nowMs) => {
      if (nowMs - lastMs >= OVER_MS) clear();
      lastMs = nowMs;
      atSec = toSec;
      if (!current || toSec < current[1]) {
        if (current) parts = merged([...parts, current]);
        // Browsers say where they are a few times a second: what begins so near the start began there.
        current = [toSec < GAP_SEC ? 0 : toSec, toSec];
      }
      current[1] = toSec;
    },
    jump: () => {
      if (current) parts = merged([...parts, current]);
      current = undefined;
    },
    clear,
  };
}

function merged(parts: readonly Readonly<Part>[]): Part[] {
  const joined: Part[] = [];
  for (const [from, to] of parts.filter(([a, b]) => b > a).toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from <= last[1] + GAP_SEC) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  while (joined.length > MAX_PARTS) closeSmallestGap(joined);
  return joined;
}

function closeSmallestGap(parts: Part[]): void {
  const gapAfter = (index: number) =>
    (parts[index + 1]?.[0] ?? Number.POSITIVE_INFINITY) - (parts[index]?.[1] ?? 0);
  const smallest = parts.reduce((best, _, index) => (gapAfter(index) < gapAfter(best) ? index : best), 0);
  const [, next] = parts.splice(smallest + 1, 1)[0] ?? [0, 0];
  const part = parts[smallest];
  if (part) part[1] = Math.max(part[1], next);
}
