const UNITS: Readonly<Record<string, (value: number) => string>> = {
  dBTP: (value) => `${signed(value, 1)} dBTP`,
  dB: (value) => `${value.toFixed(1)} dB`,
  sec: (value) => `${value.toFixed(1)} s`,
  ms: (value) => `${Math.round(value)} ms`,
  Hz: (value) => `${plain(value / 1000)} kHz`,
  share: (value) => `${plain(value * 100)} %`,
  percent: (value) => `${plain(value)} %`,
  px: (value) => `${value} pixels`,
};

/** Returns a value as a finding says it: `+0.3 dBTP`, `44.1 kHz`, `90 %`. */
export function inUnit(value: number | string | boolean | null, unit: string | null): string | null {
  if (typeof value !== "number") return value === null ? null : String(value);
  return UNITS[unit ?? ""]?.(value) ?? plain(value);
}

/** Returns a number with its sign, which zero has not. */
export function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return (0).toFixed(digits);
  return value > 0 ? `+${text}` : text;
}

/** Returns a number with at most two digits behind the point. */
export const plain = (value: number): string => String(Math.round(value * 100) / 100);
