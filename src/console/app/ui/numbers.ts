const WHOLE = new Intl.NumberFormat("en");
const TENTHS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Returns a count with its digits in groups: `12,403`. */
export const grouped = (count: number): string => WHOLE.format(count);

/** Returns a count with its word: `1 play`, `2,103 plays`. */
export const counted = (count: number, one: string): string =>
  `${grouped(count)} ${count === 1 ? one : `${one}s`}`;

/** Returns a number with one digit behind the point, and a real minus. */
export const tenths = (value: number): string => TENTHS.format(value).replace("-", "−");

/** Returns a share as a whole per cent. */
export const percent = (share: number): string => `${Math.round(100 * share)} %`;
