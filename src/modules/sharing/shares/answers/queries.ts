import { and, eq } from "drizzle-orm";
import { type Db, prepared } from "../../../../../db/client.ts";
import { type LibraryId, shareAnswers } from "../../../../../db/schema.ts";
import type { Place } from "../../../../kernel/paging.ts";
import type { ShareRow } from "../queries.ts";
import type { AnswersQuery } from "./shapes.ts";

export type AnswerRow = typeof shareAnswers.$inferSelect;

/** What a link shows of an answer. */
export type LastAnswer = Pick<AnswerRow, "shareId" | "trackId" | "answer" | "text" | "at" | "doneAt">;

const lastAnswers = prepared((db) =>
  // With max() the other columns are those of its row.
  db.$client.prepare<LastAnswer, [string]>(
    `SELECT a.share_id AS shareId, a.track_id AS trackId, a.answer, a.text, max(a.at) AS at, a.done_at AS doneAt
     FROM json_each(?1) i CROSS JOIN share_answers a ON a.share_id = i.value
       JOIN tracks t ON t.id = a.track_id AND t.deleted_at IS NULL
     GROUP BY a.share_id`,
  ),
);

/** Returns what was answered last through links, by their ids. Answers about tracks in the bin are left out. */
export function selectLastAnswers(db: Db, shareIds: readonly string[]): Map<string, LastAnswer> {
  return new Map(
    lastAnswers(db)
      .all(JSON.stringify(shareIds))
      .map((row) => [row.shareId, row]),
  );
}

/** Returns what was answered through a link, by track. */
export function selectOfShare(db: Db, shareId: string): Map<string, AnswerRow> {
  const rows = db.select().from(shareAnswers).where(eq(shareAnswers.shareId, shareId)).all();
  return new Map(rows.map((row) => [row.trackId, row]));
}

/** Returns what was answered through a link about a track. */
export function findAnswer(db: Db, shareId: string, trackId: string): AnswerRow | undefined {
  return db
    .select()
    .from(shareAnswers)
    .where(and(eq(shareAnswers.shareId, shareId), eq(shareAnswers.trackId, trackId)))
    .get();
}

/** Writes what is answered through a link about a track, instead of what was answered before. */
export function putAnswer(tx: Db, row: AnswerRow): AnswerRow {
  const { versionId, answer, text, at, doneAt } = row;
  return tx
    .insert(shareAnswers)
    .values(row)
    .onConflictDoUpdate({
      target: [shareAnswers.shareId, shareAnswers.trackId],
      set: { versionId, answer, text, at, doneAt },
    })
    .returning()
    .get();
}

/** Says since when somebody was done with an answer; null: it is open. */
export function writeDone(tx: Db, id: string, doneAt: number | null): void {
  tx.update(shareAnswers).set({ doneAt }).where(eq(shareAnswers.id, id)).run();
}

/** Counts the tracks of a link's playlist about which it was answered. */
export function countAnswered(db: Db, { id, entityId }: Pick<ShareRow, "id" | "entityId">): number {
  const sql = `SELECT count(*) AS count FROM share_answers a WHERE a.share_id = ?1
    AND EXISTS (SELECT 1 FROM playlist_tracks p WHERE p.playlist_id = ?2 AND p.track_id = a.track_id)`;
  return db.$client.query<{ count: number }, [string, string]>(sql).get(id, entityId)?.count ?? 0;
}

/** Counts the answers through a link since a time. */
export function countSince(db: Db, shareId: string, since: number): number {
  const sql = "SELECT count(*) AS count FROM share_answers WHERE share_id = ?1 AND at >= ?2";
  return db.$client.query<{ count: number }, [string, number]>(sql).get(shareId, since)?.count ?? 0;
}

/** An answer with what it is about. */
export type ListedAnswer = AnswerRow &
  Pick<ShareRow, "recipient" | "recipientEmail" | "entity" | "entityId"> & {
    playlistName: string | null;
    name: string;
    title: string | null;
    artist: string | null;
    label: string | null;
    versionOrder: number | null;
  };

type Filter = { [Name in "done" | "shareId" | "trackId"]: AnswersQuery[Name] | undefined };
type Bound = {
  ownerId: string;
  id: string | null;
  shareId: string | null;
  trackId: string | null;
  done: number | null;
  at: number | string;
  before: string;
  limit: number;
};

/** The answers of a library, without those about tracks in the bin. Ids and times come from indices alone. */
const OF_LIBRARY = `shares s INDEXED BY shares_by_owner CROSS JOIN share_answers a ON a.share_id = s.id
  JOIN tracks t ON t.id = a.track_id AND t.deleted_at IS NULL WHERE s.owner_id = $ownerId`;

const answers = prepared((db) =>
  db.$client.prepare<ListedAnswer, Bound>(
    `WITH found AS (
       SELECT a.id FROM ${OF_LIBRARY}
         AND ($id IS NULL OR a.id = $id) AND ($shareId IS NULL OR a.share_id = $shareId)
         AND ($trackId IS NULL OR a.track_id = $trackId) AND ($done IS NULL OR (a.done_at IS NOT NULL) = $done)
         AND (a.at, a.id) < ($at, $before)
       ORDER BY a.at DESC, a.id DESC LIMIT $limit)
     SELECT a.id, a.share_id AS shareId, a.track_id AS trackId, a.version_id AS versionId, a.answer, a.text, a.at,
       a.done_at AS doneAt, s.recipient, s.recipient_email AS recipientEmail, s.entity, s.entity_id AS entityId,
       p.name AS playlistName, t.name, t.title, t.artist, v.label, v.version_order AS versionOrder
     FROM found f CROSS JOIN share_answers a ON a.id = f.id JOIN shares s ON s.id = a.share_id
       JOIN tracks t ON t.id = a.track_id LEFT JOIN versions v ON v.id = a.version_id
       LEFT JOIN playlists p ON p.id = s.entity_id AND p.deleted_at IS NULL
     ORDER BY a.at DESC, a.id DESC`,
  ),
);

/** Returns at most `limit` answers of a library, the newest first. */
export function listAnswers(
  db: Db,
  ownerId: LibraryId,
  { done, shareId, trackId }: Filter,
  after: Place,
  limit: number,
): ListedAnswer[] {
  return answers(db).all({
    ownerId,
    id: null,
    shareId: shareId ?? null,
    trackId: trackId ?? null,
    done: done === undefined ? null : Number(done),
    at: after.key,
    before: after.id,
    limit,
  });
}

/** Returns one answer of a library; undefined for one about a track in the bin. */
export function findListed(db: Db, ownerId: LibraryId, id: string): ListedAnswer | undefined {
  const all = { shareId: null, trackId: null, done: null, at: Number.MAX_SAFE_INTEGER, before: "" };
  return answers(db).get({ ownerId, id, ...all, limit: 1 }) ?? undefined;
}

/** A link that asks for answers, or has some. */
export type AskedLink = Pick<
  ShareRow,
  "id" | "createdAt" | "notBefore" | "revokedAt" | "turned" | "askAnswer"
> & { recipient: string; answers: readonly Pick<AnswerRow, "answer" | "at">[] };

const asked = prepared((db) =>
  db.$client.prepare<
    Omit<AskedLink, "askAnswer" | "answers"> & { askAnswer: 0 | 1; answers: string },
    [string]
  >(
    `SELECT s.id, s.recipient, s.created_at AS createdAt, s.not_before AS notBefore, s.revoked_at AS revokedAt, s.turned,
       s.ask_answer AS askAnswer, json_group_array(json_object('answer', a.answer, 'at', a.at)) FILTER (WHERE t.id IS NOT NULL)
         AS answers
     FROM shares s LEFT JOIN share_answers a ON a.share_id = s.id
       LEFT JOIN tracks t ON t.id = a.track_id AND t.deleted_at IS NULL
     WHERE s.owner_id = ?1 AND s.recipient IS NOT NULL GROUP BY s.id HAVING s.ask_answer = 1 OR count(t.id) > 0`,
  ),
);

/** Returns a library's links to people that ask for answers, or have some, in no particular order. */
export function selectAsked(db: Db, ownerId: LibraryId): AskedLink[] {
  return asked(db)
    .all(ownerId)
    .map((row) => ({ ...row, askAnswer: row.askAnswer === 1, answers: JSON.parse(row.answers) }));
}

const openAnswers = prepared((db) =>
  db.$client.prepare<{ count: number }, { ownerId: string }>(
    `SELECT count(*) AS count FROM ${OF_LIBRARY} AND a.done_at IS NULL`,
  ),
);

/** Counts the open answers of a library. */
export function countOpen(db: Db, ownerId: LibraryId): number {
  return openAnswers(db).get({ ownerId })?.count ?? 0;
}
