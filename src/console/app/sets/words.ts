import { MAX_EDIT_SEC, MIN_EDIT_SEC } from "../../../modules/library/families/shapes.ts";
import { KIND_NAMES, PART_NAMES } from "../../../modules/library/families/words.ts";
import { counted, tenths } from "../ui/numbers.ts";
import type { Member } from "./queries.ts";

/** What a track is in a set. */
export type Place = Pick<Member, "kind" | "part" | "editSec">;

export const KIND_OPTIONS = Object.entries(KIND_NAMES).map(([value, name]) => ({
  value: value as Place["kind"],
  name,
}));

/** The first one says nothing. */
export const PART_OPTIONS: readonly { value: string; name: string }[] = [
  { value: "", name: "Not said" },
  ...Object.entries(PART_NAMES).map(([value, name]) => ({ value, name })),
];

/** Returns the length of an edit that was typed; null for the whole song, undefined for what is none. */
export function readEditSec(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const sec = Number(text);
  return Number.isInteger(sec) && sec >= MIN_EDIT_SEC && sec <= MAX_EDIT_SEC ? sec : undefined;
}

/** What is wrong with the length of an edit. */
export const EDIT_SEC_WANTED = `Enter ${MIN_EDIT_SEC} to ${MAX_EDIT_SEC} seconds, or nothing for the whole song.`;

/** `+1.2 dB against the main mix`. */
export function louderWords(own: number | null, main: number | null): string | undefined {
  if (own === null || main === null) return undefined;
  const difference = Math.round(10 * (own - main)) / 10;
  if (difference === 0) return "as loud as the main mix";
  return `${difference > 0 ? "+" : ""}${tenths(difference)} dB against the main mix`;
}

/** What the sound says of a member: `lines up with the main mix, +0.00 s`. */
export function soundWords(sound: Member["sound"]): string | undefined {
  if (!sound) return undefined;
  const sec = sound.offsetMs / 1000;
  const sign = sec < 0 ? "−" : "+";
  const where = `lines up with the main mix, ${sign}${Math.abs(sec).toFixed(2)} s`;
  return sound.residualDb === null ? where : `${where}; ${tenths(sound.residualDb)} dB are left without it`;
}

/** `This set is on 2 live links. They will show it too.` */
export const linksWords = (count: number): string =>
  count === 1
    ? "This set is on 1 live link. It will show it too."
    : `This set is on ${counted(count, "live link")}. They will show it too.`;
