const UNITS: Readonly<Record<string, (value: number, digits: number) => string>> = {
  dBTP: (value, digits) => `${signed(value, digits)} dBTP`,
  dB: (value, digits) => `${value.toFixed(digits)} dB`,
  sec: (value, digits) => `${value.toFixed(digits)} s`,
  ms: (value) => `${Math.round(value)} ms`,
  Hz: (value) => `${plain(value / 1000)} kHz`,
  share: (value) => `${plain(value * 100)} %`,
  percent: (value) => `${plain(value)} %`,
  px: (value) => `${value} pixels`,
};

/**
 * Returns a value as a finding says it: `+0.3 dBTP`, `44.1 kHz`, `90 %`. One that exceeds its limit by so little that both would
 * read the same has a digit more.
 */
export function inUnit(value: Valued, unit: string | null, limit: Valued = null): string | null {
  if (typeof value !== "number") return value === null ? null : String(value);
  const text = (of: number, digits: number) => UNITS[unit ?? ""]?.(of, digits) ?? plain(of);
  const isUnclear = typeof limit === "number" && value !== limit && text(value, 1) === text(limit, 1);
  return text(value, isUnclear ? 2 : 1);
}

type Valued = number | string | boolean | null;

/** Returns a number with its sign, which zero has not. */
export function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return (0).toFixed(digits);
  return value > 0 ? `+${text}` : text;
}

/** Returns a number with at most two digits behind the point. */
export const plain = (value: number): string => String(Math.round(value * 100) / 100);
