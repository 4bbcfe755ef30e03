import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page } from "../../../kernel/paging.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import { undoRows } from "../../library/desk/service.ts";
import { aboutOf } from "./about.ts";
import * as queries from "./queries.ts";
import type { AssistantCall, AssistantCallsQuery } from "./shapes.ts";

export { createRails } from "./rails.ts";

type ReadDeps = Pick<Deps, "db" | "now" | "settings">;

const RETENTION_MS = 90 * DAY_MS;

/**
 * Returns a page of what assistants did in an account's library, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listCalls(
  deps: ReadDeps,
  accountId: string,
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
export function undoCall(deps: ReadDeps, accountId: string, id: string): AssistantCall {
  const { db, now } = deps;
  return transact(db, (tx) => {
    const at = now();
    const call = queries.findCall(tx, { accountId, id, now: at });
    if (!call?.undoId) throw new DomainError("undo_not_found", "There is nothing to undo any more");
    undoRows(tx, { accountId, undoId: call.undoId, at });
    queries.markUndone(tx, id, at);
    const [undone] = toCalls({ ...deps, db: tx }, accountId, [{ ...call, undoneAt: at, undoUntil: null }]);
    if (!undone) throw new Error("A call became none");
    return undone;
  });
}

/** Deletes calls older than 90 days. */
export function pruneCalls({ db, now }: Pick<Deps, "db" | "now">): void {
  queries.deleteCallsBefore(db, now() - RETENTION_MS);
}

function toCalls(
  deps: Pick<Deps, "db" | "settings">,
  accountId: string,
  rows: readonly queries.ListedCall[],
): AssistantCall[] {
  const about = aboutOf(deps, accountId, rows);
  return rows.map((row) => ({ ...toCall(row), ...about(row) }));
}

function toCall(row: queries.ListedCall): Omit<AssistantCall, "track" | "playlist" | "composer"> {
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
