import type { FamilyKind, StemPart } from "../../../../db/schema.ts";
import { MAX_EDIT_SEC, MIN_EDIT_SEC } from "../families/shapes.ts";
import type { Compared } from "./task.ts";

/**
 * What the sound of a track says of it beside another one: it lacks the voice, or something else; it is a part that the other holds;
 * or it is the same mix, perhaps but for moments.
 */
export type SoundKind = "instrumental" | "less" | "part" | "same";

/** What the sound says of two tracks. */
export type Heard = {
  kind: SoundKind;
  /** Which of the two is made from the other: the first, the second, or (the same mix) either. */
  made: "first" | "second" | "either";
  /** The length of an edit, seconds; null: the whole song. */
  editSec: number | null;
};

/** What a name says of a track of a song. */
export type Named = {
  kind: FamilyKind | null;
  editSec: number | null;
  isEdit: boolean;
  part: StemPart | null;
};

/** A member to be: what it is of the song. */
export type Place = { kind: FamilyKind; part: StemPart | null; editSec: number | null };

/** Drift that two renderings have and two mixes of one have not. */
const MAX_DRIFT_MS_PER_MINUTE = 1;
/** Of the moments and octaves: as many are the same but for a voice, as many are the same. Foreign songs have 0.03 at most. */
const MIN_NULLS = 0.25;
const SAME_NULLS = 0.9;
/** A voice is all that is left. */
const MIN_VOICE = 0.9;
/** One of the two holds what is left. Of foreign songs, each holds about half. */
const MIN_HELD = 0.85;
/** A part lines up as often while it sounds. */
const MIN_PART_AGREEMENT = 0.6;
/** An edit is shorter than its song, and made of it: in at most so many pieces. */
const MAX_EDIT_LENGTH = 0.85;
const MIN_EDIT_SHARE = 0.6;
const MAX_EDIT_PIECES = 4;

/** How two tracks lie on each other. */
export type Lying = Pick<Compared, "shortSec" | "longSec" | "offsets" | "share" | "driftMsPerMinute">;

/** False when the sound says nothing of two tracks, whatever is left of the one without the other. */
export const mayBeHeard = (lying: Lying): boolean =>
  lying.offsets > 0 && lying.driftMsPerMinute <= MAX_DRIFT_MS_PER_MINUTE && editOf(lying) !== undefined;

/** True when what the sound says depends on whether what is left is a voice. */
export const dependsOnVoice = (compared: Omit<Compared, "residualVoice">): boolean =>
  mayBeHeard(compared) &&
  compared.nullShare >= MIN_NULLS &&
  compared.nullShare < SAME_NULLS &&
  holderOf(compared) !== undefined;

/** Returns what the sound says of two tracks, of which the first is the shorter or the longer one; undefined: nothing. */
export function hear(compared: Compared, isFirstShort: boolean): Heard | undefined {
  const editSec = editOf(compared);
  if (!mayBeHeard(compared) || editSec === undefined) return undefined;
  const { nullShare } = compared;
  const [short, long]: [Heard["made"], Heard["made"]] = isFirstShort
    ? ["first", "second"]
    : ["second", "first"];
  if (nullShare >= SAME_NULLS) return { kind: "same", made: editSec === null ? "either" : short, editSec };
  const holder = holderOf(compared);
  const kind = partKindOf(compared);
  if (holder === undefined || kind === undefined) return undefined;
  // An edit that holds what its song lacks is a cut of a fuller mix: neither is made from the other.
  if (editSec !== null && holder === "short") return undefined;
  return { kind, made: holder === "long" ? short : long, editSec };
}

/** Returns which of the two holds what is left; undefined: both do. */
function holderOf({ heldByShort }: Pick<Compared, "heldByShort">): "short" | "long" | undefined {
  if (heldByShort >= MIN_HELD) return "short";
  return heldByShort <= 1 - MIN_HELD ? "long" : undefined;
}

function partKindOf({ nullShare, agreement, residualVoice }: Compared): SoundKind | undefined {
  if (nullShare >= MIN_NULLS) return (residualVoice ?? 0) >= MIN_VOICE ? "instrumental" : "less";
  return agreement >= MIN_PART_AGREEMENT ? "part" : undefined;
}

/** Returns the length of an edit, null for a whole song, and undefined for what is neither. */
function editOf({ shortSec, longSec, share, offsets }: Lying): number | null | undefined {
  if (shortSec >= MAX_EDIT_LENGTH * longSec) return null;
  if (share < MIN_EDIT_SHARE || offsets > MAX_EDIT_PIECES) return undefined;
  const sec = Math.round(shortSec);
  return sec < MIN_EDIT_SEC ? undefined : Math.min(MAX_EDIT_SEC, sec);
}

/** Kinds that a track may have by its name for the sound to agree. */
const AGREEING: Readonly<Record<SoundKind, ReadonlySet<FamilyKind>>> = {
  instrumental: new Set(["instrumental", "tv", "other"]),
  less: new Set(["instrumental", "tv", "clean", "stem", "other", "acapella"]),
  part: new Set(["acapella", "stem", "other"]),
  same: new Set(["clean", "tv", "other"]),
};

/** Returns what a track is by its name and its sound together; undefined when the two do not agree. */
export function agreed(named: Named, heard: Heard): Place | undefined {
  const { part } = named;
  const isEdit = heard.editSec !== null;
  if (isEdit !== named.isEdit) return undefined;
  const kind = named.kind ?? "main";
  if (kind === "main")
    return isEdit && heard.kind === "same" ? { kind, part: null, editSec: heard.editSec } : undefined;
  const isFitting = AGREEING[heard.kind].has(kind) || (isEdit && heard.kind === "same");
  return isFitting ? { kind, part: kind === "stem" ? part : null, editSec: heard.editSec } : undefined;
}

/** Returns what a track is by its sound alone; undefined: that is not enough to ask. */
export function soundsLike({ kind, editSec }: Heard): Place | undefined {
  if (kind === "instrumental") return { kind, part: null, editSec };
  return kind === "same" && editSec !== null ? { kind: "main", part: null, editSec } : undefined;
}

/** Returns what a track is by its name alone; undefined when that says nothing. */
export function isCalled({ kind, editSec, isEdit, part }: Named): Place | undefined {
  if (kind === null && !isEdit) return undefined;
  return { kind: kind ?? "main", part, editSec };
}
