import type { Db } from "../../../../db/client.ts";
import { type RowChange, restoreRows } from "../../../../db/row-images.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { requireNeed, type Viewer } from "../../../kernel/actor.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { type KeptNotes, restoreNotes } from "../../sharing/comments/service.ts";
import { fieldsOf, findOwnedTrack, noteEdits, noteVersionEdits, SPLITS_FIELD } from "../catalog/service.ts";
import { announceRelinked, areSharesWhole } from "../composers/service.ts";
import { type KeptSound, requestCarrying, restoreSound } from "../recordings/service.ts";
import { unlearnRows } from "../tags/service.ts";
import { needsOf, type Step } from "./steps.ts";
import * as undo from "./undo-queries.ts";

/** The effect of a change on rows; `sound`: on the analysis of a deleted version; `notes`: on what was said of it. */
export type KeptRows = {
  rows: readonly RowChange[];
  sound?: KeptSound | undefined;
  notes?: KeptNotes | undefined;
};

/**
 * Keeps what a change did, so that it can be undone as a whole. Call it inside the transaction of the change. `entityId`
 * is what was changed.
 */
export function keepRows(
  tx: Db,
  row: { id: string; accountId: LibraryId; createdAt: number; until: number },
  entityId: string,
  { rows, sound, notes }: KeptRows,
): void {
  undo.insertUndo(tx, row);
  const steps: Step[] = [{ kind: "rows", rows: [...rows] }];
  if (sound) steps.push({ kind: "sound", versionId: entityId, sound });
  if (notes) steps.push({ kind: "notes", versionId: entityId, notes });
  undo.insertSteps(tx, row.id, entityId, steps);
}

/** Passes when the role of whom an actor acts for allows what a change did. @throws DomainError `insufficient_scope`. */
export function requireUndo(tx: Db, actor: Viewer, undoId: string): void {
  for (const { steps } of undo.selectSteps(tx, undoId, 1))
    for (const need of needsOf(steps)) requireNeed(actor, need);
}

/**
 * Makes all rows of a change again what they were, and announces it. Call it inside a transaction.
 *
 * @throws DomainError `undo_not_found`; `changed_since` when a row is no longer as the change left it.
 */
export function undoRows(
  tx: Db,
  { accountId, undoId, at }: { accountId: LibraryId; undoId: string; at: number },
): void {
  const steps = undo.findUndo(tx, accountId, undoId, at) ? undo.selectSteps(tx, undoId, 1) : [];
  const [first] = steps;
  const step = first?.steps.find(({ kind }) => kind === "rows");
  if (!first || step?.kind !== "rows")
    throw new DomainError("undo_not_found", "There is nothing left to undo");
  if (!isRestored(tx, step.rows))
    throw new DomainError("changed_since", "This was changed again since, so it is not undone");
  for (const kept of first.steps) {
    if (kept.kind === "notes") restoreNotes(tx, kept.versionId, kept.notes);
    if (kept.kind !== "sound") continue;
    restoreSound(tx, { ownerId: accountId, versionId: kept.versionId }, kept.sound);
    requestCarrying(tx, kept.versionId, { isMissing: true }, at);
  }
  noteRestored(tx, first.trackId, step.rows);
  unlearnRows(tx, { ownerId: accountId, trackId: first.trackId, at }, step.rows);
  undo.deleteUndo(tx, undoId);
  announce(tx, { ownerId: accountId, entityId: first.trackId, at }, step.rows);
}

function isRestored(tx: Db, rows: readonly RowChange[]): boolean {
  try {
    const trackIds = rows.flatMap(({ table, key }) =>
      table === "track_shareholders" ? [String(key.track_id)] : [],
    );
    return restoreRows(tx, rows) && areSharesWhole(tx, trackIds);
  } catch (error) {
    // Something else has taken the place since: another composer has the address, or a track of the list is gone.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CONSTRAINT"))
      return false;
    throw error;
  }
}

/** Notes who took the rows back, by the fields that they are of. The row of a track is that of what was changed. */
function noteRestored(tx: Db, entityId: string, rows: readonly RowChange[]): void {
  for (const row of rows) {
    const { table, key, before } = row;
    if (table === "tracks") noteEdits(tx, entityId, fieldsOf(namesOf(row)));
    if (table === "track_tags") noteEdits(tx, String(key.track_id), namesOf(row));
    if (table === "track_shareholders") noteEdits(tx, String(key.track_id), [SPLITS_FIELD]);
    if (table === "versions") noteVersionEdits(tx, String(key.id), Object.keys(before ?? {}));
  }
}

/** The events are those of an ordinary change. */
function announce(
  tx: Db,
  { ownerId, entityId, at }: { ownerId: LibraryId; entityId: string; at: number },
  rows: readonly RowChange[],
): void {
  const of = (...tables: string[]) => rows.filter(({ table }) => tables.includes(table));
  const changed = [...new Set(of("tracks", "versions", "track_tags").flatMap(namesOf))];
  const track = changed.length > 0 ? findOwnedTrack(tx, ownerId, trackOf(rows) ?? entityId) : undefined;
  if (track) emit(tx, ownerId, "track.updated", { trackId: track.id, name: track.name, changed }, at);
  for (const row of of("composers"))
    emit(tx, ownerId, "composer.updated", { composerId: String(row.key.id), changed: namesOf(row) }, at);
  // Of a link that stays, only a new share is worth telling.
  const links = of("track_shareholders").filter(
    ({ before, after }) => !before || !after || "share" in before,
  );
  announceRelinked(
    tx,
    ownerId,
    {
      before: links.flatMap(({ key, after }) => (after ? [toLink({ ...key, ...after })] : [])),
      after: links.flatMap(({ key, before }) => (before ? [toLink({ ...key, ...before })] : [])),
    },
    at,
  );
}

/** Returns the track of a version. */
const trackOf = (rows: readonly RowChange[]) =>
  rows.map(({ before }) => before?.track_id).find((id) => typeof id === "string");

function namesOf({ table, key, before }: RowChange): string[] {
  if (table === "versions") return ["versions"];
  if (table === "track_tags") return [key.category === "tags" ? "additionalTags" : String(key.category)];
  const columns = Object.keys(before ?? {}).filter((name) => !/_fold$|^owner_fields$|_at$/.test(name));
  return columns.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

const toLink = (row: Readonly<Record<string, unknown>>) => ({
  trackId: String(row.track_id),
  composerId: String(row.composer_id),
  share: Number(row.share),
  role: String(row.role),
});
