import { tenths } from "../../ui/numbers.ts";
import type { Structure, Version } from "./queries.ts";

/** Returns what a version is called. */
export const labelOf = ({ label, order }: Pick<Version, "label" | "order">): string =>
  label ?? (order === 0 ? "Original" : `Version ${order + 1}`);

export const loudness = (lufs: number): string => `${tenths(lufs)} LUFS`;
export const tempo = (bpm: number): string => `${beats(bpm)} BPM`;
const beats = (bpm: number): string => `${Math.round(bpm * 10) / 10}`;

/** Returns a tempo and by how many beats others count the same music: "174 BPM, felt as 87". */
export const tempoWithOther = (bpm: number, other: number | null): string =>
  other === null ? tempo(bpm) : `${tempo(bpm)}, felt as ${beats(other)}`;

/** The off-beat of music that is called swung, as a place within the beat. */
const SWUNG = 0.56;

/** Returns how music is counted, such as "4/4, swung"; undefined when that is not sure. */
export function metreWords({ metre, swing }: Structure): string | undefined {
  const isSwung = swing !== null && swing > SWUNG;
  return metre === null ? undefined : [metre, isSwung && "swung"].filter(Boolean).join(", ");
}
