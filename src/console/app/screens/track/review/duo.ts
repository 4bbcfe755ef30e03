import type { Span } from "../../../player/ab.ts";
import { labelOf } from "../names.ts";
import { isGone } from "../note-words.ts";
import type { Comment, Round, Version } from "../queries.ts";
import { isNew } from "./notes.ts";

/** A note's passage in the version in which it was heard, and in that of the round. */
export type Duo = {
  /** What plays as the old one and as the new one; a side that is missing has the other in its place. */
  a: Version;
  b: Version;
  hasOld: boolean;
  hasNew: boolean;
  /** What the old version is called; undefined for a note that was made on the version of the round. */
  oldLabel: string | undefined;
  /** Why there is no old or no new one to hear. */
  reason: string | undefined;
  /** The same moment comes so much later in `b`: at this note, whatever holds elsewhere. */
  offsetSec: number;
  /** Where it begins to play, and what is repeated, in seconds of `a`. */
  startSec: number;
  span: Span;
  /** The note, in seconds of `a`. */
  fromSec: number;
  toSec: number | null;
};

/** How long before a note it begins to play. */
const LEAD_SEC = 2;
/** So much is repeated around a note that has no end, or one that would only stutter. */
const LOOP_SEC = 8;
const SHORTEST_LOOP_SEC = 1;

type Sought = {
  note: Comment;
  round: Round;
  versions: readonly Version[];
  /** Why the old version cannot be had, where that showed when it was asked for. */
  failed?: string | undefined;
};

/** Returns what is heard of a note; undefined when nothing is. */
export function duoOf(sought: Sought): Duo | undefined {
  const { note, round, versions } = sought;
  const now = versions.find(({ id }) => id === round.versionId);
  if (!now) return undefined;
  const { old, ...words } = oldOf(sought, now);
  const isCut = isGone(note);
  if (isCut && !old) return undefined;
  const a = old ?? now;
  const b = isCut ? a : now;
  const offsetSec = old && !isCut ? offsetOf(note, old, round) : 0;
  const passage =
    old || !note.place
      ? { fromSec: note.positionSec ?? 0, toSec: note.endSec }
      : { fromSec: note.place.positionSec ?? 0, toSec: note.place.endSec };
  return {
    ...{ a, b, offsetSec, ...passage, ...words },
    hasOld: old !== undefined,
    hasNew: !isCut,
    ...spanOf(passage, { offsetSec, a, b }),
  };
}

function oldOf({ note, round, versions, failed }: Sought, now: Version) {
  if (isNew(note, round)) return { old: undefined, oldLabel: undefined, reason: undefined };
  const then = versions.find(({ id }) => id === note.versionId);
  const oldLabel = then ? labelOf(then) : (note.versionLabel ?? "The version before");
  const reason = failed ?? missingOld(then, now, oldLabel);
  return { old: reason === undefined ? then : undefined, oldLabel, reason };
}

/** A note on the whole track has no place: there the whole pair's offset is the best there is. */
function offsetOf({ place, positionSec }: Comment, old: Version, { previous, offsetMs }: Round): number {
  if (place?.positionSec !== undefined && place.positionSec !== null)
    return place.positionSec - (positionSec ?? 0);
  return previous?.id === old.id ? (offsetMs ?? 0) / 1000 : 0;
}

/** Says why the old version is not compared: without both analyses neither loudness nor place is known. */
function missingOld(then: Version | undefined, now: Version, oldLabel: string): string | undefined {
  if (!then) return `${oldLabel} was deleted, so only ${labelOf(now)} plays here.`;
  const failed = [then, now].find(({ analysis }) => analysis === "failed");
  if (failed) return `${labelOf(failed)} could not be analysed, so the two cannot be compared.`;
  const waiting = [then, now].find(({ isAnalysed }) => !isAnalysed);
  if (!waiting) return undefined;
  return `${oldLabel} can be heard here once ${waiting === then ? "it" : labelOf(waiting)} has been analysed.`;
}

type Passage = { fromSec: number; toSec: number | null };

/** Both must have all of what is repeated: one that ended earlier would begin again earlier. */
function spanOf({ fromSec, toSec }: Passage, { offsetSec, a, b }: Pick<Duo, "offsetSec" | "a" | "b">) {
  const first = Math.max(0, -offsetSec);
  const last = Math.min(lengthOf(a), lengthOf(b) - offsetSec);
  const isRange = toSec !== null && toSec - fromSec >= SHORTEST_LOOP_SEC;
  const startSec = Math.max(first, fromSec - LEAD_SEC);
  const wanted = isRange ? { fromSec, toSec } : { fromSec: startSec, toSec: fromSec - LEAD_SEC + LOOP_SEC };
  const end = Math.min(wanted.toSec, last);
  const begin = Math.max(first, Math.min(wanted.fromSec, end - SHORTEST_LOOP_SEC));
  return { startSec: Math.min(startSec, begin), span: { fromSec: begin, toSec: end } };
}

const lengthOf = ({ durationSec }: Version): number => durationSec ?? Number.POSITIVE_INFINITY;
