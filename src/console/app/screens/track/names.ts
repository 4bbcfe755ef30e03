import { tenths } from "../../ui/numbers.ts";
import type { Version } from "./queries.ts";

/** Returns what a version is called. */
export const labelOf = ({ label, order }: Pick<Version, "label" | "order">): string =>
  label ?? (order === 0 ? "Original" : `Version ${order + 1}`);

export const loudness = (lufs: number): string => `${tenths(lufs)} LUFS`;
export const tempo = (bpm: number): string => `${Math.round(bpm * 10) / 10} BPM`;
