/** Returns a size as people read it: `4.2 MB`. */
export function sizeText(bytes: number): string {
  const [unit, by] = bytes >= 1e9 ? ["GB", 1e9] : bytes >= 1e6 ? ["MB", 1e6] : ["KB", 1e3];
  const value = bytes / Number(by);
  return `${value >= 100 || unit === "KB" ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}
