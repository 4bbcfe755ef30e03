import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { OwnerActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page } from "../../../kernel/paging.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import { requireUndo, undoRows } from "../../library/desk/service.ts";
import { peopleIn } from "../../people/people/service.ts";
import { aboutOf } from "./about.ts";
import * as queries from "./queries.ts";
import {
  type AssistantCall,
  type AssistantCallsQuery,
  CALLS_KEPT_DAYS,
  type OwnUndo,
  type UndoOwn,
} from "./shapes.ts";

export { createRails } from "./rails.ts";

type ReadDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Returns a page of what assistants did in an account's library, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listCalls(
  deps: ReadDeps,
  accountId: LibraryId,
  query: AssistantCallsQuery,
): Page<AssistantCall> {
  const { db, now } = deps;
  const { changed = false } = query;
  const at = now();
  const { items, paging } = cutPage(
    query,
    `assistant calls ${accountId} ${changed}`,
    (after, limit) =>
      queries.selectCalls(db, {
        accountId,
        now: at,
        at: Number(after.key),
        id: after.id,
        limit,
        changed: Number(changed),
      }),
    (row) => row.at,
  );
  return { items: toCalls(deps, accountId, items), paging };
}

/**
 * Takes back what a call changed: everything is restored under the same ids.
 *
 * @throws DomainError `undo_not_found` for a call that changed nothing, or can no longer be undone; `changed_since` when
 *   what it changed was changed again. Nothing changes then.
 */
export function undoCall(deps: ReadDeps, accountId: LibraryId, id: string): AssistantCall {
  const { db, now } = deps;
  return transact(db, (tx) => {
    const at = now();
    const call = queries.findCall(tx, { accountId, id, now: at });
    if (!call?.undoId) throw new DomainError("undo_not_found", "There is nothing left to undo");
    undoRows(tx, { accountId, undoId: call.undoId, at });
    queries.markUndone(tx, id, at);
    const [undone] = toCalls(within(deps, tx), accountId, [{ ...call, undoneAt: at, undoUntil: null }]);
    if (!undone) throw new Error("A call became none");
    return undone;
  });
}

/**
 * Takes back what a key changed with a tool, as {@link undoCall} does for the owner: a change that it names, or else its last
 * one of the thing. The last change stays the last after it was taken back, so a repeated request never goes on to the one
 * before.
 *
 * @throws DomainError `undo_not_found` also for what another key changed; `changed_since`; `insufficient_scope` when the maker of
 *   the key may not make the change any more. Nothing changes then.
 */
export function undoOwnChange(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: OwnerActor,
  { argument, id }: { argument: "trackId" | "playlistId" | "composerId"; id: string },
  { undoId, dryRun = false }: UndoOwn,
): OwnUndo {
  const { accountId, keyId } = actor;
  const work = (tx: Db): OwnUndo => {
    const at = now();
    const wanted = { accountId, keyId, argument: `$.${argument}`, id, undoId: undoId ?? null, now: at };
    const call = queries.findOwnChange(tx, wanted);
    if (!call?.undoId) throw new DomainError("undo_not_found", "This key has changed nothing here");
    if (call.undoneAt !== null)
      throw new DomainError("undo_not_found", "The change has been taken back already");
    requireUndo(tx, actor, call.undoId);
    undoRows(tx, { accountId, undoId: call.undoId, at });
    queries.markUndone(tx, call.id, at);
    return {
      ok: true,
      undoId: call.undoId,
      dryRun,
      undone: { tool: call.tool, at: toIso(call.at) },
      changes: queries
        .readChanges(call)
        .map(({ path, before, after }) => ({ path, before: after, after: before })),
    };
  };
  return dryRun ? rehearse(db, work) : transact(db, work);
}

/** Returns the result of a piece of work of which nothing is kept. */
function rehearse<Result>(db: Db, work: (tx: Db) => Result): Result {
  const takenBack = new Error("A rehearsal is taken back");
  const results: Result[] = [];
  try {
    transact(db, (tx): void => {
      results.push(work(tx));
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  }
  // The work has ended, or else its error was thrown.
  return results[0] as Result;
}

/** Deletes calls older than {@link CALLS_KEPT_DAYS}. */
export function pruneCalls({ db, now }: Pick<Deps, "db" | "now">): void {
  queries.deleteCallsBefore(db, now() - CALLS_KEPT_DAYS * DAY_MS);
}

function toCalls(deps: ReadDeps, accountId: LibraryId, rows: readonly queries.ListedCall[]): AssistantCall[] {
  const about = aboutOf(deps, accountId, rows);
  const by = peopleIn(
    deps,
    accountId,
    rows.map(({ personId }) => personId),
  );
  return rows.map((row) => ({ ...toCall(row), ...about(row), madeBy: by(row.personId) }));
}

function toCall(row: queries.ListedCall): Omit<AssistantCall, "track" | "playlist" | "composer" | "madeBy"> {
  const { id, at, tool, keyId, name, client, outcome, durationMs, undoUntil, undoneAt } = row;
  return {
    id,
    at: toIso(at),
    tool,
    by: { keyId, name, client },
    arguments: JSON.parse(row.arguments) as AssistantCall["arguments"],
    outcome,
    dryRun: row.isRehearsal === 1,
    changes: queries.readChanges(row),
    undoUntil: undoUntil === null ? null : toIso(undoUntil),
    undoneAt: undoneAt === null ? null : toIso(undoneAt),
    durationMs,
  };
}
