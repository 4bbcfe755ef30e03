import { MAX_EDIT_SEC, MIN_EDIT_SEC } from "../../../modules/library/families/shapes.ts";
import { KIND_NAMES, PART_NAMES } from "../../../modules/library/families/words.ts";
import { counted, tenths } from "../ui/numbers.ts";
import type { Family, Member } from "./queries.ts";

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

/**
 * What the sound says of a member: `lines up with the main mix, +0.00 s`, `starts 2 bars later, +4.00 s`. A stem does not say what is
 * left without it: that is said of all stems together.
 */
export function soundWords({ sound, kind }: Member, mainBpm: number | null): string | undefined {
  if (!sound) return undefined;
  const where = whereWords(sound.offsetMs / 1000, mainBpm);
  if (sound.residualDb === null || kind === "stem") return where;
  return `${where}; ${tenths(sound.residualDb)} dB are left without it`;
}

/** Nearer than this, it begins where the main mix does. */
const TOGETHER_SEC = 0.1;
const BEATS_PER_BAR = 4;
/** How near to whole bars it must be. */
const NEAR_BARS = 0.05;

function whereWords(sec: number, bpm: number | null): string {
  const seconds = `${sec < 0 ? "−" : "+"}${Math.abs(sec).toFixed(2)} s`;
  if (Math.abs(sec) < TOGETHER_SEC) return `lines up with the main mix, ${seconds}`;
  const bars = bpm === null ? 0 : (Math.abs(sec) * bpm) / 60 / BEATS_PER_BAR;
  const whole = Math.round(bars);
  const isWhole = whole > 0 && Math.abs(bars - whole) < NEAR_BARS;
  return `starts ${isWhole ? `${counted(whole, "bar")} ` : ""}${sec < 0 ? "earlier" : "later"}, ${seconds}`;
}

/** What the stems add up to: `5 stems add up to the mix within −58 dB`, `drums missing: −9 dB below 120 Hz`. */
export function sumWords({ count, residualDb, missing }: NonNullable<Family["stemSum"]>): string {
  const stems = counted(count, "stem");
  const add = count === 1 ? "adds" : "add";
  if (residualDb === null) return `${stems} ${count === 1 ? "does" : "do"} not line up with the mix`;
  if (missing === null) return `${stems} ${add} up to the mix within ${tenths(residualDb)} dB`;
  const what = missing.part === null ? "something" : PART_NAMES[missing.part].toLowerCase();
  return `${what} missing: ${tenths(missing.levelDb)} dB ${bandWords(missing)}`;
}

function bandWords({ fromHz, toHz }: { fromHz: number | null; toHz: number | null }): string {
  const said = (hz: number) => (hz < 1000 ? `${hz} Hz` : `${hz / 1000} kHz`);
  if (fromHz === null) return toHz === null ? "everywhere" : `below ${said(toHz)}`;
  return toHz === null ? `above ${said(fromHz)}` : `between ${said(fromHz)} and ${said(toHz)}`;
}

/** `This set is on 2 live links. They will show it too.` */
export const linksWords = (count: number): string =>
  count === 1
    ? "This set is on 1 live link. It will show it too."
    : `This set is on ${counted(count, "live link")}. They will show it too.`;
