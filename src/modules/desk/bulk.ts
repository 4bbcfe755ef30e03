import { transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError, invalidField } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { hasPlaylist } from "../playlists/service.ts";
import { readAmendment } from "../tags/service.ts";
import type { BulkChange, BulkDo, BulkResult, Failure, UndoResult } from "./bulk-model.ts";
import { chosenIds } from "./chosen.ts";
import { inSlices } from "./slices.ts";
import { applyPlan, type Plan, undoSteps } from "./steps.ts";
import * as undo from "./undo-queries.ts";
import { undoRows } from "./undo-rows.ts";

type BulkDeps = Pick<Deps, "db" | "now" | "settings">;

/** How long a change can be undone. */
const UNDO_MS = 10 * MINUTE_MS;
/** Tracks that an undo reads at a time. */
const UNDO_BATCH = 1000;

/**
 * Changes many tracks of an account, in short transactions: other requests are served in between. A track that cannot be
 * changed is named in `failed`, and the others are changed all the same.
 *
 * @throws DomainError `validation_failed` for an empty change, or a filter or tag that cannot be read;
 *   `playlist_not_found`. Nothing changes then.
 */
export async function changeMany(
  deps: BulkDeps,
  ownerId: string,
  { where, do: asked }: BulkChange,
): Promise<BulkResult> {
  const plan = readPlan(deps, ownerId, asked);
  const ids = chosenIds(deps, ownerId, where);
  const undoId = newId("undo");
  const failed: Failure[] = [];
  let changed = 0;
  undo.insertUndo(deps.db, { id: undoId, accountId: ownerId, ...timesOf(deps) });
  await inSlices(deps, ids, (tx, trackId) => {
    try {
      const steps = applyPlan(tx, deps, { ownerId, trackId, at: deps.now() }, plan);
      if (steps.length > 0) changed++;
      if (steps.some(({ kind }) => kind !== "retag")) undo.insertSteps(tx, undoId, trackId, steps);
    } catch (error) {
      failed.push(failureOf(trackId, error));
    }
  });
  return { changed, failed, undoId: undo.keepUndo(deps.db, undoId, timesOf(deps)) ? undoId : null };
}

/**
 * Undoes a bulk change within ten minutes. What was changed again since then stays as it is.
 *
 * @throws DomainError `undo_not_found` when the account made no such change, or it is over or undone; `changed_since` when
 *   what it changed as a whole was changed again.
 */
export async function undoMany(deps: BulkDeps, ownerId: string, undoId: string): Promise<UndoResult> {
  const { db, now } = deps;
  if (!undo.hasUndo(db, ownerId, undoId, now()))
    throw new DomainError("undo_not_found", "There is nothing to undo any more");
  const [first] = undo.selectSteps(db, undoId, 1);
  if (first?.steps.some(({ kind }) => kind === "rows")) {
    transact(db, (tx) => undoRows(tx, { accountId: ownerId, undoId, at: now() }));
    return { undone: 1, failed: [] };
  }
  const failed: Failure[] = [];
  let undone = 0;
  const next = () => undo.selectSteps(db, undoId, UNDO_BATCH);
  for (let rows = next(); rows.length > 0; rows = next())
    await inSlices(deps, rows, (tx, { seq, trackId, steps }) => {
      // Two requests may undo at once: each row is for the one that deletes it.
      if (!undo.deleteSteps(tx, seq)) return;
      try {
        undoSteps(tx, { ownerId, trackId, at: now() }, steps);
        undone++;
      } catch (error) {
        failed.push(failureOf(trackId, error));
      }
    });
  undo.deleteUndo(db, undoId);
  return { undone, failed };
}

/** Forgets changes that are too old to be undone. */
export function forgetUndos({ db, now }: Pick<Deps, "db" | "now">): void {
  undo.deleteEndedUndos(db, now());
}

function timesOf({ now }: Pick<Deps, "now">) {
  const at = now();
  return { createdAt: at, until: at + UNDO_MS };
}

function readPlan({ db }: BulkDeps, ownerId: string, asked: BulkDo): Plan {
  const { addTags = [], removeTags = [], dedupe: _, ...rest } = asked;
  if (addTags.length + removeTags.length + Object.keys(rest).length === 0)
    throw invalidField("do", "empty", "must say what to change");
  const { addToPlaylist } = asked;
  if (addToPlaylist !== undefined && !hasPlaylist(db, ownerId, addToPlaylist))
    throw new DomainError("playlist_not_found", "There is no such playlist");
  const hasTags = addTags.length + removeTags.length > 0;
  return { ...asked, tags: hasTags ? readAmendment(addTags, removeTags) : undefined };
}

/** @throws What is no refusal: it is a bug, and ends the change. */
function failureOf(id: string, error: unknown): Failure {
  if (error instanceof DomainError) return { id, code: error.code, message: error.message };
  throw error;
}
