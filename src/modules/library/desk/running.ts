import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { isOwn, type Member } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import type { BulkResult, Failure } from "./bulk/shapes.ts";

/** How long the result of a change can be asked for after its end. */
const KEPT_MS = 10 * MINUTE_MS;

/** A change of many tracks, while it is made and for a while after it. */
export type Running = {
  id: string;
  accountId: LibraryId;
  madeBy: PersonId | null;
  total: number;
  /** Tracks that were looked at. */
  done: number;
  changed: number;
  failed: Failure[];
  /** It is to end after the slice in hand. */
  mustStop: boolean;
  state: NonNullable<BulkResult["state"]>;
  /** Undefined while it runs; null: nothing to undo. */
  undoId: string | null | undefined;
  endedAt: number | undefined;
  /** Settles when the change has ended. */
  ended: Promise<void>;
};

/** The changes of this process, by id. */
const changes = prepared((_: Db) => new Map<string, Running>());

/** Notes a change that begins, and makes it. What `work` throws is thrown by {@link resultWithin}. */
export function begin(
  { db, now }: Pick<Deps, "db" | "now">,
  { id, accountId, madeBy, total }: Pick<Running, "id" | "accountId" | "madeBy" | "total">,
  work: (change: Running) => Promise<string | null>,
): Running {
  const all = changes(db);
  for (const { id: old, endedAt } of all.values())
    if (endedAt !== undefined && endedAt <= now() - KEPT_MS) all.delete(old);
  const change: Running = {
    ...{ id, accountId, madeBy, total, done: 0, changed: 0, failed: [], mustStop: false, state: "running" },
    ...{ undoId: undefined, endedAt: undefined, ended: Promise.resolve() },
  };
  all.set(id, change);
  change.ended = work(change)
    .then((undoId) => {
      change.undoId = undoId;
      change.state = change.done < total ? "stopped" : "done";
    })
    .finally(() => {
      change.endedAt = now();
    });
  change.ended.catch(() => undefined); // who awaits it gets the error
  return change;
}

/**
 * Returns a change that somebody made; who manages the library may have anybody's.
 *
 * @throws DomainError `not_found`, also for another person's or account's change, and for one of a process that ended.
 */
export function getChange({ db }: Pick<Deps, "db">, actor: Member, id: string): Running {
  const change = changes(db).get(id);
  if (change?.accountId === actor.accountId && isOwn(actor, change.madeBy)) return change;
  throw new DomainError("not_found", "There is no such change, or it ended long ago");
}

/** Returns what a change did, when it has ended or after so many milliseconds. */
export async function resultWithin(change: Running, ms: number | undefined): Promise<BulkResult> {
  if (ms === undefined) await change.ended;
  else {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, ms);
    await Promise.race([change.ended, timer.promise]).finally(() => clearTimeout(timeout));
  }
  const { id, state, total, done, changed, failed, undoId } = change;
  return { changeId: id, state, total, done, changed, failed, undoId: undoId === undefined ? id : undoId };
}
