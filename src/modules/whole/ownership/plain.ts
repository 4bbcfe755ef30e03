import { toIso } from "../../../kernel/time.ts";

/** A value of `library.json`. */
export type Plain = Record<string, unknown>;

/** Columns that hold a time in epoch milliseconds. */
const IS_TIME = /At$|^(at|deadline|publicSince)$/;

/** Returns a row as `library.json` has it: times as ISO 8601, without bytes, and without the columns in `omit`. */
export function plain(row: object, omit: readonly string[] = []): Plain {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => !omit.includes(name) && !(value instanceof Uint8Array))
      .map(([name, value]) => [name, typeof value === "number" && IS_TIME.test(name) ? toIso(value) : value]),
  );
}
