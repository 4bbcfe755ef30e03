const UNITS = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
] as const;

/** Returns a size as people read it: `4.2 MB`. */
export function sizeText(bytes: number): string {
  const [unit, by] = UNITS.find(([, least]) => bytes >= least) ?? (["KB", 1e3] as const);
  const value = bytes / by;
  return `${value >= 100 || unit === "KB" ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}
