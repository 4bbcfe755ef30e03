import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** True when a path equals a folder or lies inside it. Links are followed, and neither path has to exist. */
export function isInside(path: string, folder: string): boolean {
  const outer = realPathOf(folder);
  return `${realPathOf(path)}${sep}`.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Follows the links in the part of a path that exists. */
function realPathOf(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole) || dirname(whole) === whole) return realpathSync(whole);
  return join(realPathOf(dirname(whole)), basename(whole));
}
