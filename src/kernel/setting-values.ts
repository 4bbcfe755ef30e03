import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

/** An invalid setting. `message` is the sentence that the operator sees. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const MAX_BYTES = 1e15;

/** Reads a whole number. @throws SettingError. */
export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new SettingError(`${name} must be a whole number from ${min} to ${max}`);
}

/** Reads a time such as `24h` into milliseconds. @throws SettingError. */
export function duration(name: string, text: string, minMs: number, maxMs: number): number {
  const [, count, unit = ""] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const value = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (value >= minMs && value <= maxMs) return value;
  throw new SettingError(`${name} must be a time from 1m to 366d, such as 24h`);
}

/** Reads a size such as `500MB` or `2.5 GB`; a number alone counts bytes. @throws SettingError. */
export function bytes(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = "B"] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)?$/i.exec(text) ?? [];
  const value = Math.round(Number(count) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (value >= 0 && value <= MAX_BYTES) return value;
  throw new SettingError(`${name} must be a size from 0 to 1000 TB, such as 500MB or 2GB`);
}

/** Reads one of a few words. @throws SettingError. */
export function choice<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((each) => each === text);
  if (found) return found;
  throw new SettingError(`${name} must be one of: ${choices.join(", ")}`);
}

/** Reads an http(s) address, without slashes at its end. @throws SettingError. */
export function address(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new SettingError(`${name} must be an address that starts with http:// or https://`);
  return text.replace(/\/+$/, "");
}

/** Reads an address that is given out, as {@link address} does. @throws SettingError when it has a user name too. */
export function publicAddress(name: string, text: string | undefined): string | undefined {
  const read = address(name, text);
  const { username, password } = new URL(read ?? "http://localhost");
  if (username || password)
    throw new SettingError(
      `${name} must not have a user name or a password: it is given out, and everybody would read them`,
    );
  return read;
}

/** Reads a list separated by commas. */
export function list(text = ""): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
