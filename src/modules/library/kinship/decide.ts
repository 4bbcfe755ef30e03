import type { Db } from "../../../../db/client.ts";
import type { Coarse } from "../../../audio/kinship/runs.ts";
import { findSign, join, type NewSign, putSign } from "../families/service.ts";
import { declineMix } from "../recordings/service.ts";
import { agreed, type Heard, isCalled, type Place, soundsLike } from "./judge.ts";
import type { Namesake, Reading } from "./names.ts";
import { findKinTrack, isOnLinks, type KinTrack } from "./queries.ts";
import { type Compared, KINSHIP_RULES } from "./task.ts";

/** What is known of two tracks: by their names when `isNamed`, and by their sound. */
export type Evidence = {
  own: Namesake;
  other: Namesake;
  isNamed: boolean;
  coarse: Coarse | undefined;
  /** The first is the shorter one. */
  isOwnShort: boolean;
  compared: Compared | undefined;
  heard: Heard | undefined;
};

type Deciding = { isNew: boolean; at: number };

/**
 * Keeps two tracks together when their names and their sound say the same of them and one of them is new; asks when one of the two
 * says something. Call it inside a transaction.
 */
export function decidePair(tx: Db, evidence: Evidence, { isNew, at }: Deciding): void {
  const made = madeOf(evidence);
  if (!made) return;
  const { asked, of, side } = made;
  const { heard, isNamed } = evidence;
  const isFitting = heard !== undefined && (heard.made === "either" || heard.made === side);
  const both = isNamed && isFitting ? agreed(asked.reading, heard) : undefined;
  const bySound = isFitting ? soundsLike(heard) : undefined;
  const byName = isNamed ? isCalled(asked.reading) : undefined;
  const place = both ?? byName ?? bySound;
  if (!place) return;
  const sign = {
    ...{ askedId: asked.track.id, ofId: of.track.id },
    ...namedPart(byName),
    ...soundPart(evidence, isFitting ? heard : undefined, side),
    rules: KINSHIP_RULES,
    at,
  };
  keepOrAsk(tx, { sign, place, isSure: both !== undefined && isNew });
}

/** The track that would join, the one that it would join, and which of the pair that is. */
type Made = { asked: Namesake; of: Namesake; side: "first" | "second" };

/** Returns which of two tracks is made from the other: the one of which its name says so, else by the sound. */
function madeOf({ own, other, isNamed, heard }: Evidence): Made | undefined {
  const [isOwnMade, isOtherMade] = [isMade(own.reading), isMade(other.reading)];
  const heardSide = heard?.made === "either" ? undefined : heard?.made;
  if (isNamed && isOwnMade && isOtherMade) return undefined;
  const side = isNamed && isOwnMade !== isOtherMade ? (isOwnMade ? "first" : "second") : heardSide;
  if (side === undefined) return undefined;
  return side === "first" ? { asked: own, of: other, side } : { asked: other, of: own, side };
}

const isMade = ({ kind, isEdit }: Reading) => isEdit || (kind !== null && kind !== "main");

/** What a sign holds of a name. */
export const namedPart = (named: Place | undefined) => ({
  nameKind: named?.kind ?? null,
  nameEditSec: named?.editSec ?? null,
  namePart: named?.part ?? null,
});

const NO_SOUND = {
  ...{ soundKind: null, soundEditSec: null, offsetMs: null, bitErrorRate: null, overlap: null },
  ...{ residualDb: null, residualVoice: null },
};

function soundPart({ coarse, compared, isOwnShort }: Evidence, heard: Heard | undefined, side: Made["side"]) {
  if (!heard || !compared) return NO_SOUND;
  const { offsetMs, residualDb, residualVoice } = compared;
  // Measured is where the shorter one begins in the longer.
  const isAskedShort = (side === "first") === isOwnShort;
  const isLaid = coarse !== undefined && coarse.runs.length > 0;
  return {
    soundKind: heard.kind,
    soundEditSec: heard.editSec,
    offsetMs: offsetMs === null ? null : isAskedShort ? offsetMs : -offsetMs,
    bitErrorRate: isLaid ? coarse.bitErrorRate : null,
    overlap: isLaid ? Math.min(1, coarse.share) : null,
    residualDb: Math.max(LEAST_DB, residualDb),
    residualVoice,
  };
}

/** Nothing is left at all. */
const LEAST_DB = -120;

type Proposed = { sign: Omit<NewSign, "state">; place: Place; isSure: boolean };

/**
 * Has a track join the family of another, or asks about it, unless one of them has gone, the owner has said no, or it is in a family
 * already. A set that is on links does not show what joins it by itself. Call it inside a transaction.
 */
export function keepOrAsk(tx: Db, { sign, place, isSure }: Proposed): void {
  const { askedId, ofId, at } = sign;
  const [asked, of] = [findKinTrack(tx, askedId), findKinTrack(tx, ofId)];
  if (!asked || !of || asked.ownerId !== of.ownerId) return;
  if (asked.familyId !== null) {
    noteOfMember(tx, sign, asked, of);
    return;
  }
  if (findSign(tx, askedId, ofId)?.state === "refused") return;
  declineMix(tx, { trackId: askedId, otherId: ofId, ownerId: asked.ownerId, at });
  putSign(tx, { ...sign, state: isSure ? "joined" : "open" });
  if (!isSure) return;
  const { kind, part, editSec } = place;
  join(tx, {
    ...{ ownerId: asked.ownerId, trackId: askedId, withId: ofId, kind, part, editSec },
    hiddenFromLinks: isOnLinks(tx, ofId),
    joinedBy: "name_and_sound",
    at,
  });
}

/** Keeps what the sound says of a track that is in the family already. */
function noteOfMember(tx: Db, sign: Omit<NewSign, "state">, asked: KinTrack, of: KinTrack): void {
  if (asked.familyId === of.familyId && sign.soundKind !== null) putSign(tx, { ...sign, state: "joined" });
}
