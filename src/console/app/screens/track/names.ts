import type { Version } from "./queries.ts";

const number = (digits: number) =>
  new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const one = number(1);
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const UNITS = ["kB", "MB", "GB"] as const;

/** Returns what a version is called. */
export const labelOf = ({ label, order }: Pick<Version, "label" | "order">): string =>
  label ?? (order === 0 ? "Original" : `Version ${order + 1}`);

/** Returns a number with one digit behind the point, and a real minus. */
export const tenths = (value: number): string => one.format(value).replace("-", "−");

export const loudness = (lufs: number): string => `${tenths(lufs)} LUFS`;
export const tempo = (bpm: number): string => `${Math.round(bpm * 10) / 10} BPM`;
export const momentOf = (iso: string): string => moment.format(new Date(iso));

/** Returns a file's size: `34.6 MB`. */
export function sizeOf(bytes: number): string {
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? one.format(value) : Math.round(value)} ${UNITS[unit]}`;
}
