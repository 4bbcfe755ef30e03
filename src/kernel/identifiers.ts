/** The number of an interested party has eleven digits; leading zeros are often left out. */
const IPI_DIGITS = 11;

/** Returns an identifier without what people put between its signs, in upper case. */
const bare = (text: string): string => text.replace(/[\s.\-–/]/g, "").toUpperCase();
const digitsOf = (text: string): number[] => [...text].map(Number);
/** The sum of digits that are weighed 1, 2, 3 …. */
const rising = (digits: readonly number[]): number =>
  digits.reduce((sum, digit, place) => sum + (place + 1) * digit, 0);

/**
 * Returns the number of a work (ISWC) without separators, `T0345246801`; undefined when its check digit does not fit.
 *
 * @see ISO 15707, annex A.
 */
export function toIswc(text: string): string | undefined {
  const iswc = bare(text).replace(/^ISWC:?/, "");
  if (!/^T\d{10}$/.test(iswc)) return undefined;
  const digits = digitsOf(iswc.slice(1));
  return (10 - ((1 + rising(digits.slice(0, 9))) % 10)) % 10 === digits[9] ? iswc : undefined;
}

/**
 * Returns the name number of an interested party (IPI) with its eleven digits; undefined when its two check digits do not fit.
 * Spaces, dots and leading zeros do not matter.
 */
export function toIpi(text: string): string | undefined {
  const digits = bare(text);
  if (!/^\d{5,11}$/.test(digits)) return undefined;
  const all = digits.padStart(IPI_DIGITS, "0");
  const sum = digitsOf(all.slice(0, 9)).reduce((total, digit, place) => total + digit * (10 - place), 0);
  return ((101 - (sum % 101)) % 101) % 100 === Number(all.slice(9)) && sum > 0 ? all : undefined;
}

/**
 * Returns the sixteen signs of an ISNI; undefined when the last one does not fit the others.
 *
 * @see ISO 27729; ISO 7064, modulo 11-2.
 */
export function toIsni(text: string): string | undefined {
  const signs = bare(text).replace(/^ISNI:?/, "");
  if (!/^\d{15}[\dX]$/.test(signs)) return undefined;
  const sum = digitsOf(signs.slice(0, 15)).reduce((total, digit) => 2 * (total + digit), 0);
  const check = (12 - (sum % 11)) % 11;
  return signs.at(-1) === (check === 10 ? "X" : String(check)) ? signs : undefined;
}

/**
 * Returns the number of a recording (ISRC) without hyphens; undefined when the text is none. There is no check digit.
 *
 * @see ISO 3901.
 */
export function toIsrc(text: string): string | undefined {
  const isrc = bare(text).replace(/^ISRC:?(?=.{12}$)/, "");
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc) ? isrc : undefined;
}

/**
 * Returns the digits of the number on the packet: a UPC of twelve, an EAN of thirteen, or one of fourteen or eight; undefined when
 * the check digit does not fit.
 *
 * @see GS1 General Specifications, section 7.9.
 */
export function toGtin(text: string): string | undefined {
  const gtin = bare(text);
  if (!/^(\d{8}|\d{12,14})$/.test(gtin) || /^0+$/.test(gtin)) return undefined;
  const [check = 0, ...others] = digitsOf(gtin).reverse();
  const sum = others.reduce((total, digit, place) => total + digit * (place % 2 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10 === check ? gtin : undefined;
}
