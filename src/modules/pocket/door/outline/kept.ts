import type { LibraryId } from "../../../../../db/schema.ts";
import { createSlices } from "../../../../kernel/breather.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { buildOutline, type Seen } from "./build.ts";
import type { Outline } from "./outline.ts";
import { hasChanged, selectLastChange } from "./queries.ts";

/** Returns the outline of a library. */
export type OutlineOf = (seen: Seen) => Promise<Outline>;

/** Of so many libraries one is kept. */
const MOST = 20;
/** While an outline that takes longer than this is made again, the one before is shown. */
const LONG_MS = 200;
/** Of the time, at most this part is spent on making it. */
const SHARE = 0.1;

type Kept = {
  outline?: Outline;
  /** Until the next one is there. */
  making?: Promise<Outline> | undefined;
  /** The last change that it knows of. */
  since: number;
  workMs: number;
  freshUntil: number;
};

/**
 * Makes a keeper of outlines, which makes one again when its library has changed. In a large library it may be some seconds old
 * while much changes: then new songs come a little later. What has left the library is never shown, because every song is
 * read when it is.
 */
export function createOutlines({ db, now }: Pick<Deps, "db" | "now">): OutlineOf {
  const kept = new Map<string, Kept>();
  return async (seen) => {
    const known = keptFor(seen);
    if (known.outline && isGood(known, seen.accountId)) return known.outline;
    const made = making(known, seen);
    if (known.outline && known.workMs >= LONG_MS) return known.outline;
    let outline = await made;
    // It may have been begun before the change that the caller knows of.
    if (!isGood(known, seen.accountId)) outline = await making(known, seen);
    return outline;
  };

  function keptFor({ accountId, accountName }: Seen): Kept {
    const name = JSON.stringify([accountId, accountName]);
    const known = kept.get(name) ?? { since: 0, workMs: 0, freshUntil: 0 };
    kept.delete(name);
    kept.set(name, known);
    for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest);
    return known;
  }

  function making(known: Kept, seen: Seen): Promise<Outline> {
    known.making ??= make(known, seen).finally(() => {
      known.making = undefined;
    });
    // Who does not wait for it tries again with the next call, and hears then what is wrong.
    known.making.catch(() => undefined);
    return known.making;
  }

  function isGood(known: Kept, accountId: LibraryId): boolean {
    const latest = selectLastChange(db);
    if (latest === known.since || performance.now() < known.freshUntil) return true;
    if (hasChanged(db, accountId, known.since)) return false;
    known.since = latest;
    return true;
  }

  async function make(known: Kept, seen: Seen): Promise<Outline> {
    const since = selectLastChange(db);
    const slices = createSlices();
    const outline = await buildOutline(db, seen, { now: now(), breathe: slices.breathe });
    const workMs = slices.workMs();
    const freshUntil = workMs < LONG_MS ? 0 : performance.now() + workMs / SHARE;
    Object.assign(known, { outline, since, workMs, freshUntil });
    return outline;
  }
}
