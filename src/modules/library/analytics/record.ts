import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { currentMember } from "../../../kernel/current-request.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { decodeCursor, encodeCursor } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { findPerson } from "../../people/people/service.ts";
import * as queries from "./record-queries.ts";
import type { ActivityActor, ActivityMetric, Entity } from "./shapes.ts";

/**
 * Why the log keeps a row without counting it: it is the owner's own activity; an immediate repeat; a machine (a
 * crawler, a link preview, a mail scanner); a HEAD request; a prefetched page; a page without a sign that a visitor
 * looked at it; too short for a play; an incomplete download; a track that waits in the Inbox.
 */
export type LeftOut =
  | "owner"
  | "repeat"
  | "machine"
  | "head"
  | "prefetch"
  | "unseen"
  | "short"
  | "incomplete"
  | "waiting";

/** An activity on a track or playlist. */
export type Activity = {
  /** The account that owns the track or playlist. */
  ownerId: LibraryId;
  entity: Entity;
  entityId: string;
  metric: ActivityMetric;
  actor: ActivityActor;
  /** The public link that it came through. */
  shareId?: string | null;
  /** The playlist whose link that is, for activity on one of its tracks: it counts for both. */
  playlistId?: string | undefined;
  leftOut?: LeftOut | undefined;
  /** Tells the visitors of the link apart. */
  visit?: string | null;
} & Partial<HeardOfPlay>;

/** What was heard of a track in a play. */
export type HeardOfPlay = {
  heardSec: number | null;
  /** The parts, as JSON `[[from, to], …]` in seconds; null: unknown. */
  heard: string | null;
  /** Where in the track the visitor stopped. */
  stoppedSec: number | null;
};

/** The number that no row has: a visitor may still listen when the account is deleted, and nothing is logged then. */
const NO_ROW = 0;

/**
 * Logs an activity and counts it. Call it in the transaction that performs the activity, so that the log and its counts
 * always agree. Returns the row's number in the log, or {@link NO_ROW}.
 */
export function recordActivity(tx: Db, activity: Activity, at: number): number {
  const { ownerId, entity, entityId, metric, actor } = activity;
  const { shareId = null, leftOut = null, visit = null, playlistId } = activity;
  const { heardSec = null, heard = null, stoppedSec = null } = activity;
  const entityRef = queries.ensureEntity(tx, ownerId, entity, entityId);
  if (entityRef === undefined) return NO_ROW;
  const seriesRef = queries.ensureSeries(tx, ownerId, entity, metric);
  const playlistRef =
    (playlistId !== undefined && queries.ensureEntity(tx, ownerId, "playlist", playlistId)) || null;
  const who = { actorType: actor.type, actorName: actor.name };
  const by = { ...who, shareId, visit };
  const seq = queries.insertLogRow(tx, {
    id: newId("act"),
    seriesRef,
    entityRef,
    playlistRef,
    at,
    ...by,
    leftOut,
    heardSec,
    heard,
    stoppedSec,
  });
  if (leftOut !== null) return seq;
  queries.countDay(tx, seriesRef, at);
  if (metric !== "uploaded")
    for (const place of placesOf(tx, { seriesRef, entityRef, playlistRef }))
      queries.countEntity(tx, place, at);
  return seq;
}

/**
 * Changes whether a row counts, and adjusts the counts. The counts of an entity deleted since stay as they are. Call it
 * in a transaction.
 *
 * @param leftOut Null when the row counts.
 */
export function settleActivity(tx: Db, seq: number, leftOut: LeftOut | null): void {
  const row = queries.findLogRow(tx, seq);
  if (!row || row.leftOut === leftOut) return;
  const change = Number(leftOut === null) - Number(row.leftOut === null);
  queries.updateLeftOut(tx, seq, leftOut);
  if (change === 1) queries.countDay(tx, row.seriesRef, row.at);
  if (change === -1) queries.uncountDay(tx, row.seriesRef, row.at);
  for (const place of placesOf(tx, row)) {
    if (change === 1 && queries.exists(tx, place)) queries.countEntity(tx, place, row.at);
    if (change === -1) queries.uncountEntity(tx, place, row.at);
  }
}

/** Returns the places a row counts for: the track or playlist itself, and the playlist whose link it came through. */
function placesOf(
  tx: Db,
  { seriesRef, entityRef, playlistRef }: Pick<queries.LogRow, "seriesRef" | "entityRef" | "playlistRef">,
): queries.CountPlace[] {
  const own = { seriesRef, entityRef };
  if (playlistRef === null) return [own];
  return [own, { seriesRef: queries.ensurePlaylistSeries(tx, seriesRef), entityRef: playlistRef }];
}

/** Records what was heard of a play. */
export function noteHeard(tx: Db, seq: number, heard: HeardOfPlay): void {
  queries.updateHeard(tx, seq, heard);
}

/** Returns the activity of a link's visitor on one entity since a time, counted or not, newest first. */
export function listVisitorActivity(db: Db, wanted: queries.VisitorLookup): queries.VisitorRow[] {
  return queries.selectVisitorRows(db, wanted);
}

/** Returns whoever acts in a library, by name: the member whose request it is, else the library itself. */
export function userActor(db: Db, accountId: LibraryId): ActivityActor {
  const member = currentMember(accountId);
  const name = member === null ? undefined : findPerson(db, member)?.name;
  return { type: "user", name: name ?? queries.findAccountName(db, accountId) };
}

/** A log row in the form that {@link listShareActivity} returns. */
export type ShareActivity = {
  id: string;
  metric: ActivityMetric;
  entity: Entity;
  entityId: string;
  at: string;
  actor: ActivityActor;
  /** Null when it was counted. */
  leftOut: string | null;
  visit: string | null;
  heardSec: number | null;
};

/**
 * Returns a page of the activity through a public link of the account, newest first.
 *
 * @throws DomainError `validation_failed` when the cursor is from another listing.
 */
export function listShareActivity(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  shareId: string,
  { limit, cursor, hasPlays = true }: { limit: number; cursor?: string; hasPlays?: boolean },
): { items: ShareActivity[]; paging: { limit: number; next_cursor: string | null } } {
  const list = `share activity ${ownerId} ${shareId}${hasPlays ? "" : " without plays"}`;
  const before = cursor === undefined ? undefined : decodeCursor(cursor, list);
  const rows = queries.selectShareRows(db, {
    ownerId,
    shareId,
    hasPlays: Number(hasPlays),
    beforeAt: Number(before?.key ?? Number.MAX_SAFE_INTEGER),
    beforeSeq: Number(before?.id ?? 0),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(last.at, String(last.seq), list) : null;
  return { items: page.map(toShareActivity), paging: { limit, next_cursor: nextCursor } };
}

function toShareActivity({ actorType, actorName, seq: _, at, ...row }: queries.ShareRow): ShareActivity {
  return { ...row, at: toIso(at), actor: { type: actorType, name: actorName } };
}
