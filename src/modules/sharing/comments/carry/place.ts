import { LEVELS_PER_SECOND, MAX_LEVELS } from "../../../../audio/fingerprint/level-rate.ts";
import { offsetAt, type Section } from "../../../../audio/fingerprint/sections.ts";
import { MIN_RANGE_SEC } from "../shapes.ts";

/** A note that is at a moment of the version that was heard, or at a range of it. */
export type Spot = { positionSec: number; endSec: number | null };

/** Where a note is in another version. */
export type Placed = {
  /** Null: not in it. */
  atSec: number | null;
  endSec: number | null;
  how: "carried" | "about" | "gone";
};

/** Which part of a version is where in another; undefined: they cannot be compared; `same`: they are one recording. */
export type Alignment = readonly Section[] | "same" | undefined;

/** As near to the edge of a section, a place is not certain. */
const EDGE_SEC = 1.5;
/** How far the levels go that make a place exact. */
const EXACT_SEC = MAX_LEVELS / LEVELS_PER_SECOND;
/** What a rounded length may be off. */
const TOLERANCE_SEC = 0.02;

const GONE: Placed = { atSec: null, endSec: null, how: "gone" };

/**
 * Returns where a note is in another version.
 *
 * @param alignment From the version in which it was heard to the other.
 * @param lengthSec Of the other version; null while it is not known.
 */
export function placeNote(spot: Spot, alignment: Alignment, lengthSec: number | null): Placed {
  const length = lengthSec ?? Number.POSITIVE_INFINITY;
  if (alignment === undefined || alignment === "same") {
    const [atSec, endSec] = [Math.min(spot.positionSec, length), spot.endSec];
    return placedAt({ atSec, endSec, length, how: alignment === "same" ? "carried" : "about" });
  }
  const section = sectionAt(alignment, spot.positionSec);
  const found = section && placeIn(section, spot.positionSec);
  if (!section || found === undefined) return GONE;
  if (found < -TOLERANCE_SEC || found > length + TOLERANCE_SEC) return GONE;
  const atSec = Math.min(Math.max(found, 0), length);
  const endSec =
    spot.endSec === null ? null : endOf(alignment, section, { ...spot, endSec: spot.endSec }, atSec);
  return placedAt({
    atSec,
    endSec,
    length,
    how: isCertain(section, spot.positionSec, found) ? "carried" : "about",
  });
}

/** A range whose ends are in different sections keeps its length. */
function endOf(
  sections: readonly Section[],
  section: Section,
  { positionSec, endSec }: { positionSec: number; endSec: number },
  atSec: number,
): number {
  const end = sectionAt(sections, endSec) === section ? placeIn(section, endSec) : undefined;
  return end ?? atSec + endSec - positionSec;
}

function isCertain({ fromSec, toSec, isFine }: Section, sec: number, found: number): boolean {
  const isAtEdge = (fromSec > 0 && sec - fromSec < EDGE_SEC) || toSec - sec < EDGE_SEC;
  return isFine && !isAtEdge && sec <= EXACT_SEC && found <= EXACT_SEC;
}

const sectionAt = (sections: readonly Section[], sec: number) => sections.find(({ toSec }) => sec < toSec);

function placeIn(section: Section, sec: number): number | undefined {
  const offset = offsetAt(section, sec);
  return offset === undefined ? undefined : sec + offset;
}

type At = { atSec: number; endSec: number | null; length: number; how: "carried" | "about" };

function placedAt({ atSec, endSec, length, how }: At): Placed {
  const end = endSec === null ? null : Math.min(endSec, length);
  const at = rounded(atSec);
  const isRange = end !== null && rounded(end - at) >= MIN_RANGE_SEC;
  return { atSec: at, endSec: isRange ? rounded(end) : null, how };
}

/** To a millisecond: nothing is known more exactly. */
const rounded = (sec: number) => Math.round(sec * 1000) / 1000;
