import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { buildOutline, type Seen } from "./build.ts";
import type { Outline } from "./outline.ts";
import { hasChanged, selectLastChange } from "./queries.ts";

/** Returns the outline of a library, as somebody sees it. */
export type OutlineOf = (seen: Seen) => Outline;

/** So many are kept: of each library one, and one for each guest. */
const MOST = 20;
/** An outline that took longer than this to make is not made again at once after each change. */
const LONG_MS = 50;
/** Of the time, at most this part is spent on making it. */
const SHARE = 0.1;

type Kept = { outline: Outline; since: number; tookMs: number; freshUntil: number };

/**
 * Makes a keeper of outlines, which makes one again when its library has changed. In a large library it may be some seconds old while much
 * changes: then new songs come a little later. What has left the library is never shown, because every song is read when it is.
 */
export function createOutlines({ db, now }: Pick<Deps, "db" | "now">): OutlineOf {
  const kept = new Map<string, Kept>();
  return (seen) => {
    const { accountId, accountName, reach } = seen;
    const name = JSON.stringify([accountId, accountName, reach && [...reach.lists]]);
    const known = kept.get(name);
    kept.delete(name);
    const current = known && isGood(known, accountId) ? known : make(seen);
    kept.set(name, current);
    for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest);
    return current.outline;
  };

  function isGood(known: Kept, accountId: LibraryId): boolean {
    const latest = selectLastChange(db);
    if (latest === known.since || performance.now() < known.freshUntil) return true;
    if (hasChanged(db, accountId, known.since)) return false;
    known.since = latest;
    return true;
  }

  function make(seen: Seen): Kept {
    const since = selectLastChange(db);
    const from = performance.now();
    const outline = buildOutline(db, seen, now());
    const to = performance.now();
    const tookMs = to - from;
    return { outline, since, tookMs, freshUntil: tookMs < LONG_MS ? 0 : to + tookMs / SHARE };
  }
}
