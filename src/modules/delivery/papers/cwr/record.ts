import { toAscii } from "./ascii.ts";
import { type Field, LATER, LAYOUTS, type RecordType } from "./layouts.ts";

export type CwrVersion = "2.1" | "2.2";
export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** A value that its field of a registration cannot hold. */
export class UnwritableField extends Error {
  /** As people call it: `title`, `last name`. */
  readonly field: string;
  /** The end of a sentence that begins with the field. */
  readonly why: string;

  constructor(field: string, why: string) {
    super(`${field} ${why}`);
    [this.field, this.why] = [field, why];
  }
}

/**
 * Returns a record as one line, without its end.
 *
 * @throws UnwritableField for a text that ASCII cannot write or that is too long, and a number that is none.
 */
export function recordLine(version: CwrVersion, type: RecordType, values: Values): string {
  const fields = version === "2.2" ? [...LAYOUTS[type], ...(LATER[type] ?? [])] : LAYOUTS[type];
  return fields.map((field) => written(field, field[0] === "type" ? type : values[field[0]])).join("");
}

function written([name, width, kind]: Field, value: Values[string]): string {
  const field = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (kind === "number") {
    const digits = String(value ?? 0);
    if (!/^\d+$/.test(digits)) throw new UnwritableField(field, "is no number");
    if (digits.length > width) throw new UnwritableField(field, `has more than ${width} digits`);
    return digits.padStart(width, "0");
  }
  const text = toAscii(String(value ?? ""));
  if (text === undefined)
    throw new UnwritableField(
      field,
      "has letters that a registration cannot have: write it in Latin letters",
    );
  if (text.length > width) throw new UnwritableField(field, `is longer than ${width} characters`);
  return text.padEnd(width);
}

/** Returns a text for a field that may be left blank: null when the field cannot hold it. */
export function fitting(text: string | null, width: number): string | null {
  const ascii = text === null ? undefined : toAscii(text);
  return ascii !== undefined && ascii.length <= width ? ascii : null;
}
