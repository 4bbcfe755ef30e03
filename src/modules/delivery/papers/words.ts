/** Returns hundredths of a per cent as people write them: `33.34`. */
export const percent = (hundredths: number): string => (hundredths / 100).toFixed(2);

/** Returns a length as `0:03:34`, which spreadsheets read as hours, minutes and seconds. */
export function clock(sec: number | null): string {
  if (sec === null) return "";
  const whole = Math.round(sec);
  const two = (value: number) => String(value % 60).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60))}:${two(whole)}`;
}
