import { slipsBetween } from "../kernel/slips.ts";

const MAX_OFFERED = 4;

/** Returns the names that a mistyped one most likely means; none when no name is near. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const wanted = plain(typed);
  if (wanted.length < 2) return [];
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const slips = known.map((name) => ({ name, slips: slipsBetween(wanted, plain(name), most) }));
  const least = Math.min(...slips.map((each) => each.slips));
  if (least <= most) return slips.filter((each) => each.slips === least).map(({ name }) => name);
  return known.filter((name) => plain(name).startsWith(wanted)).slice(0, MAX_OFFERED);
}

/** `acount_create` and `account create` are written alike. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, "-");
