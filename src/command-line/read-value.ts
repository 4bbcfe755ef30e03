import { flagOf, type Option } from "./describe.ts";
import type { UsageError } from "./usage-error.ts";

export type OptionToken = {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
};
export type Misuse = (reason?: string) => UsageError;

export function readValue(
  { name, rawName, value, inlineValue }: OptionToken,
  option: Option,
  misuse: Misuse,
): string | number | boolean {
  if (option.value === undefined) {
    if (value !== undefined) throw misuse(`${rawName} takes no value`);
    return true;
  }
  const flag = flagOf(name, option);
  if (value === undefined) throw misuse(`${rawName} needs a value: ${flag}`);
  if (!inlineValue && isLikeOption(value, option))
    throw misuse(`${rawName} needs a value: ${flag}, or ${rawName}=${value}`);
  if (option.choices && !option.choices.includes(value))
    throw misuse(wrongChoice(`${rawName} must be`, option.choices));
  return option.whole ? wholeNumber(rawName, value, option.whole, misuse) : value;
}

/** True for `--once` where a value is expected, unless it is a number below zero. */
const isLikeOption = (text: string, { whole }: Option) =>
  text.startsWith("-") && text !== "-" && !(whole !== undefined && /^-\d+$/.test(text));

function wholeNumber(
  flag: string,
  text: string,
  { from = -Number.MAX_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER, unit }: NonNullable<Option["whole"]>,
  misuse: Misuse,
): number {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  const units = unit === undefined ? "" : ` ${unit}`;
  if (to < Number.MAX_SAFE_INTEGER) throw misuse(`${flag} must be a whole number: ${from} to ${to}${units}`);
  throw misuse(`${flag} must be a whole number${from === 0 ? `${units}, 0 or more` : ""}`);
}

/** Says which values there are. */
export const wrongChoice = (what: string, choices: readonly string[]): string =>
  `${what} ${choices.join(", ").replace(/, ([^,]+)$/, " or $1")}`;
