import { transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { isOwn, type Member, requireNeed } from "../../../../kernel/actor.ts";
import { beyondRequest } from "../../../../kernel/current-request.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { reopenNotes } from "../../../sharing/comments/service.ts";
import {
  discardArtwork,
  pictureAt,
  removeUnshown,
  type StagedArtwork,
  stageArtwork,
} from "../../artwork/service.ts";
import { getOwnedTrack } from "../../catalog/service.ts";
import { checkShareholders, requireComposers } from "../../composers/service.ts";
import { findChangeable } from "../../playlists/service.ts";
import { readAmendment, requestLearning } from "../../tags/service.ts";
import { chosenIds } from "../chosen.ts";
import { separate } from "../merge/separate.ts";
import { begin, getChange, type Running, resultWithin } from "../running.ts";
import { inSlices } from "../slices.ts";
import { applyPlan, needsOf, type Plan, picturesOf, undoSteps } from "../steps.ts";
import * as undo from "../undo-queries.ts";
import { undoRows } from "../undo-rows.ts";
import {
  type BulkChange,
  type BulkDo,
  type BulkResult,
  type Failure,
  UNDO_MINUTES,
  type UndoResult,
} from "./shapes.ts";

type BulkDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "selfCommand" | "ffmpegPath" | "log">;

const UNDO_MS = UNDO_MINUTES * MINUTE_MS;
/** Tracks that an undo reads at a time. */
const UNDO_BATCH = 1000;

/**
 * Changes many tracks of an account, in short transactions: other requests are served in between. A track that cannot be
 * changed is named in `failed`, and the others are changed all the same. Returns the result when all of it is done, or
 * after `answerWithinMs`: it goes on then, see {@link changeResult}.
 *
 * @throws DomainError `validation_failed` for an empty change, shares above 100 per cent, or a filter or tag that cannot
 *   be read; `playlist_not_found`; `composer_not_found`; `track_not_found` for a main mix; the errors of a cover. Nothing changes then.
 */
export async function changeMany(
  deps: BulkDeps,
  actor: Member,
  { where, do: asked, answerWithinMs }: BulkChange,
  signal: AbortSignal,
): Promise<BulkResult> {
  const ownerId = actor.accountId;
  const read = readPlan(deps, actor, asked);
  const ids = chosenIds(deps, actor, where);
  const cover = await stageCover(deps, ownerId, asked, signal);
  const plan = cover === undefined ? read : { ...read, details: { ...read.details, cover } };
  const start = { id: newId("undo"), accountId: ownerId, madeBy: actor.personId ?? null, total: ids.length };
  const change = begin(deps, start, (running) => beyondRequest(() => make(deps, running, ids, plan)));
  change.ended.catch((error) => deps.log("error", "A change of many tracks ended early", { error }));
  const result = await resultWithin(change, answerWithinMs);
  if (answerWithinMs !== undefined) return result;
  const { changed, failed, undoId } = result;
  return { changed, failed, undoId };
}

/** Makes a change, and returns by what it can be undone. */
async function make(
  deps: BulkDeps,
  change: Running,
  ids: readonly string[],
  plan: Plan,
): Promise<string | null> {
  const { id: undoId, accountId: ownerId } = change;
  const pictures = new Set<string>();
  undo.insertUndo(deps.db, { id: undoId, accountId: ownerId, ...timesOf(deps) });
  try {
    await inSlices(
      deps,
      ids,
      (tx, trackId) => {
        change.done++;
        try {
          const steps = applyPlan(tx, deps, { ownerId, trackId, at: deps.now() }, plan);
          if (steps.length > 0) change.changed++;
          if (steps.some(({ kind }) => kind !== "retag")) undo.insertSteps(tx, undoId, trackId, steps);
          for (const key of picturesOf(steps)) pictures.add(key);
        } catch (error) {
          change.failed.push(failureOf(trackId, error));
        }
      },
      () => change.mustStop,
    );
    return undo.keepUndo(deps.db, undoId, timesOf(deps)) ? undoId : null;
  } finally {
    // Once: after a kill, the next start sees what is to be learnt.
    if (plan.tags) requestLearning(deps.db, ownerId, deps.now());
    const cover = plan.details?.cover;
    if (cover) await discardArtwork(cover);
    removeUnshown(deps, [...pictures, cover?.key]);
  }
}

/** The picture is fetched and redrawn once, and then shown by every track. */
async function stageCover(
  deps: BulkDeps,
  ownerId: LibraryId,
  { details }: BulkDo,
  signal: AbortSignal,
): Promise<StagedArtwork | null | undefined> {
  const cover = details?.cover;
  return typeof cover === "string" ? await stageArtwork(deps, ownerId, pictureAt(cover), signal) : cover;
}

/**
 * Returns how far a change has come, or what it did, until {@link UNDO_MINUTES} after its end.
 *
 * @throws DomainError `not_found`.
 */
export function changeResult(deps: Pick<Deps, "db">, actor: Member, changeId: string): Promise<BulkResult> {
  return resultWithin(getChange(deps, actor, changeId), 0);
}

/**
 * Stops a change. The changes made by then stay, and can be undone. A change that has ended is left alone.
 *
 * @throws DomainError `not_found`.
 */
export function stopChange(deps: Pick<Deps, "db">, actor: Member, changeId: string): Promise<BulkResult> {
  const change = getChange(deps, actor, changeId);
  change.mustStop = true;
  return resultWithin(change, undefined);
}

/**
 * Undoes a bulk change within {@link UNDO_MINUTES}. Later changes stay. A change that still runs is
 * stopped first.
 *
 * @throws DomainError `undo_not_found` when the person made no such change, or it has expired or been undone; `changed_since` when
 *   what it changed as a whole was changed again; `insufficient_scope` when they may not make it any more.
 */
export async function undoMany(
  deps: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">,
  actor: Member,
  undoId: string,
): Promise<UndoResult> {
  const { db, now } = deps;
  const ownerId = actor.accountId;
  const kept = undo.findUndo(db, ownerId, undoId, now());
  if (!kept || !isOwn(actor, kept.madeBy))
    throw new DomainError("undo_not_found", "There is nothing left to undo");
  const [first] = undo.selectSteps(db, undoId, 1);
  for (const need of needsOf(first?.steps ?? [])) requireNeed(actor, need);
  const undone = first && undoWhole(deps, actor, undoId, first);
  if (undone !== undefined) return { undone, failed: [] };
  const failed: Failure[] = [];
  const pictures = new Set<string>();
  let hasTags = false;
  let count = 0;
  const next = () => undo.selectSteps(db, undoId, UNDO_BATCH);
  for (let rows = next(); rows.length > 0; rows = next())
    await inSlices(deps, rows, (tx, { seq, trackId, steps }) => {
      // Two requests may undo at once: each row is for the one that deletes it.
      if (!undo.deleteSteps(tx, seq)) return;
      for (const key of picturesOf(steps)) pictures.add(key);
      hasTags ||= steps.some(({ kind }) => kind === "tags");
      try {
        for (const need of needsOf(steps)) requireNeed(actor, need);
        undoSteps(tx, deps, { ownerId, trackId, at: now() }, steps);
        count++;
      } catch (error) {
        failed.push(failureOf(trackId, error));
      }
    });
  undo.deleteUndo(db, undoId);
  if (hasTags) requestLearning(db, ownerId, now());
  removeUnshown(deps, [...pictures]);
  return { undone: count, failed };
}

/** Undoes a change that is undone in one step, and returns of how many things; undefined for one of many tracks. */
function undoWhole(
  deps: Pick<Deps, "db" | "now" | "ffmpegPath">,
  actor: Member,
  undoId: string,
  { trackId, steps }: undo.TrackSteps,
): number | undefined {
  const { accountId: ownerId } = actor;
  const at = deps.now();
  return transact(deps.db, (tx) => {
    if (steps.some(({ kind }) => kind === "rows")) {
      undoRows(tx, { accountId: ownerId, undoId, at });
      return 1;
    }
    const join = steps.find((step) => step.kind === "join");
    const answered = steps.find((step) => step.kind === "answered");
    if (join) separate(tx, deps, { ownerId, trackId, at }, join);
    const reopened = answered && reopenNotes(tx, actor, trackId, answered);
    if (join || answered) undo.deleteUndo(tx, undoId);
    return join ? 1 : reopened;
  });
}

/** Forgets changes that are too old to be undone. */
export function forgetUndos({ db, now }: Pick<Deps, "db" | "now">): void {
  undo.deleteEndedUndos(db, now());
}

function timesOf({ now }: Pick<Deps, "now">) {
  const at = now();
  return { createdAt: at, until: at + UNDO_MS };
}

function readPlan({ db }: BulkDeps, actor: Member, asked: BulkDo): Plan {
  const ownerId = actor.accountId;
  const {
    addTags = [],
    removeTags = [],
    dedupe: _,
    details: { cover: __, ...details } = {},
    ...rest
  } = asked;
  if (
    addTags.length +
      removeTags.length +
      Object.keys(rest).length +
      Object.keys(asked.details ?? {}).length ===
    0
  )
    throw invalidField("do", "empty", "must say what to change");
  const { addToPlaylist, keepTogether, shareholders } = asked;
  if (keepTogether) getOwnedTrack(db, ownerId, keepTogether.mainTrackId);
  if (addToPlaylist !== undefined && !findChangeable(db, actor, addToPlaylist, "create:playlists"))
    throw new DomainError("playlist_not_found", "There is no such playlist");
  if (shareholders) requireNeed(actor, "update:composer");
  if (shareholders) requireComposers(db, ownerId, checkShareholders(shareholders));
  const hasTags = addTags.length + removeTags.length > 0;
  return {
    ...rest,
    ...(asked.dedupe !== undefined && { dedupe: asked.dedupe }),
    ...(asked.details && { details }),
    tags: hasTags ? readAmendment(addTags, removeTags) : undefined,
  };
}

/** @throws Any error that is not a refusal: a bug, which ends the change. */
function failureOf(id: string, error: unknown): Failure {
  if (error instanceof DomainError) return { id, code: error.code, message: error.message };
  throw error;
}
