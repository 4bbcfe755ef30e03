import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  not,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, notificationReads, notifications, type PersonId } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

export type NotificationRow = typeof notifications.$inferSelect;

/** Adds a notification, unless one with its id exists. */
export function insertNotification(tx: Db, row: typeof notifications.$inferInsert): void {
  tx.insert(notifications).values(row).onConflictDoNothing().run();
}

/** Adds a notification, or says in the one with its id what it says instead. Nobody has read that. */
export function putNotification(tx: Db, row: typeof notifications.$inferInsert & { id: string }): void {
  const { id, kind, title, createdAt } = row;
  tx.insert(notifications)
    .values(row)
    .onConflictDoUpdate({ target: notifications.id, set: { kind, title, createdAt } })
    .run();
  tx.delete(notificationReads).where(eq(notificationReads.notificationId, id)).run();
}

export function deleteNotification(tx: Db, id: string): void {
  tx.delete(notifications).where(eq(notifications.id, id)).run();
}

/** True when a notification with this id exists. */
export function hasNotification(db: Db, id: string): boolean {
  return (
    db.select({ id: notifications.id }).from(notifications).where(eq(notifications.id, id)).get() !==
    undefined
  );
}

/** Returns a notification of this kind that nobody in the library has read. */
export function findUnread(db: Db, accountId: LibraryId, kind: string): string | undefined {
  const { id } = notifications;
  const isRead = sql`EXISTS (SELECT 1 FROM notification_reads r WHERE r.notification_id = ${id})`;
  const isMeant = and(eq(notifications.accountId, accountId), eq(notifications.kind, kind), not(isRead));
  return db.select({ id }).from(notifications).where(isMeant).limit(1).get()?.id;
}

/** Deletes the notifications of this kind about a thing. */
export function deleteAbout(tx: Db, about: { accountId: LibraryId; kind: string; entityId: string }): void {
  const { accountId, kind, entityId } = notifications;
  tx.delete(notifications)
    .where(and(eq(accountId, about.accountId), eq(kind, about.kind), eq(entityId, about.entityId)))
    .run();
}

/** Says something else in a notification. */
export function updateNotification(tx: Db, id: string, change: Partial<NotificationRow>): void {
  tx.update(notifications).set(change).where(eq(notifications.id, id)).run();
}

/** Returns every account's notifications of a kind. Reads the whole table. */
export function listOfKind(db: Db, kind: string): Pick<NotificationRow, "id" | "accountId">[] {
  const { id, accountId } = notifications;
  return db.select({ id, accountId }).from(notifications).where(eq(notifications.kind, kind)).all();
}

/** Returns the latest notification of a kind, whatever the library. Reads the whole table. */
export function findLastOfKind(
  db: Db,
  kind: string,
): Pick<NotificationRow, "createdAt" | "title"> | undefined {
  const { createdAt, title } = notifications;
  return db
    .select({ createdAt, title })
    .from(notifications)
    .where(eq(notifications.kind, kind))
    .orderBy(desc(createdAt))
    .limit(1)
    .get();
}

/** Somebody who reads the notifications of a library, and what they can open of what those are about. */
export type Reader = {
  accountId: LibraryId;
  personId: PersonId;
  entityKeys: readonly string[];
  /** Kinds that tell of more than the thing itself, where the reader may not see that. */
  hiddenKinds: readonly string[];
  /** The tracks of a guest's rooms, JSON. Left out: everything. */
  tracks?: string;
};

/** What guests may know: these name no other thing than the track. */
const GUEST_KINDS = [
  "comment.answered",
  "comment.reply",
  "track.audio_replaced",
  "track.comment",
  "track.version_sent",
  "version.approved",
  "version.changes",
];
/** Of these, nobody is told what they did themselves. */
const OTHERS_KINDS = ["version.approved", "version.changes"];

/** True for a notification that guests may see who see its thing, in SQL, of a table by this name. */
export const isForGuests = (table: string) =>
  `(${table}.entity_key = 'track' AND ${table}.kind IN (${GUEST_KINDS.map((kind) => `'${kind}'`).join(", ")}))`;

/** A notification, and when its reader read it. */
export type ReadRow = NotificationRow & { readAt: number | null };

/** Somebody new sees what came after joining; whoever founded the library sees everything. */
const isFor = ({ accountId, personId, entityKeys, hiddenKinds, tracks }: Reader) =>
  and(
    eq(notifications.accountId, accountId),
    or(isNull(notifications.personId), eq(notifications.personId, personId)),
    inArray(notifications.entityKey, [...entityKeys]),
    hiddenKinds.length === 0 ? undefined : notInArray(notifications.kind, [...hiddenKinds]),
    or(notInArray(notifications.kind, OTHERS_KINDS), sql`${notifications.madeBy} IS NOT ${personId}`),
    sql`${notifications.createdAt} >= (SELECT iif(m.role = 'owner' AND m.added_by IS NULL, 0, m.joined_at) FROM members m
      WHERE m.account_id = ${accountId} AND m.person_id = ${personId})`,
    tracks === undefined
      ? undefined
      : sql`${sql.raw(isForGuests("notifications"))} AND ${notifications.entityId} IN (SELECT value FROM json_each(${tracks}))`,
  );

const withReads = (db: Db, { personId }: Reader) =>
  db
    .select({ ...getTableColumns(notifications), readAt: notificationReads.readAt })
    .from(notifications)
    .leftJoin(
      notificationReads,
      and(eq(notificationReads.notificationId, notifications.id), eq(notificationReads.personId, personId)),
    );

/** Returns at most `limit` notifications older than `after`, newest first. Index `notifications_by_account`. */
export function listNotifications(db: Db, reader: Reader, after: Place, limit: number): ReadRow[] {
  const isOlder = sql`(${notifications.createdAt}, ${notifications.id}) < (${after.key}, ${after.id})`;
  return withReads(db, reader)
    .where(and(isFor(reader), isOlder))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit)
    .all();
}

export function countUnread(db: Db, reader: Reader): number {
  const found = db
    .select({ total: count() })
    .from(notifications)
    .where(and(isFor(reader), isUnread(reader)))
    .get();
  return found?.total ?? 0;
}

const isUnread = ({ personId }: Reader) =>
  sql`NOT EXISTS (SELECT 1 FROM notification_reads r WHERE r.person_id = ${personId}
    AND r.notification_id = ${notifications.id})`;

/** Returns what a reader has not read of what others did within a time, the newest first. Index `notifications_by_account`. */
export function listUnheard(
  db: Db,
  reader: Reader,
  kinds: readonly string[],
  { from, until }: { from: number; until: number },
): NotificationRow[] {
  const { kind, createdAt, madeBy, id } = notifications;
  const isWithin = and(gte(createdAt, from), lt(createdAt, until));
  const isOthers = sql`${madeBy} IS NOT ${reader.personId}`;
  return db
    .select()
    .from(notifications)
    .where(and(isFor(reader), isWithin, inArray(kind, [...kinds]), isOthers, isUnread(reader)))
    .orderBy(desc(createdAt), desc(id))
    .all();
}

/** Marks one of the library's notifications as read, unless it already is. Returns it as the reader has it. */
export function markRead(tx: Db, reader: Reader, id: string, at: number): ReadRow | undefined {
  const find = () =>
    withReads(tx, reader)
      .where(and(isFor(reader), eq(notifications.id, id)))
      .get();
  const row = find();
  if (row?.readAt !== null) return row;
  tx.insert(notificationReads).values({ personId: reader.personId, notificationId: id, readAt: at }).run();
  return find();
}

/** Marks every unread notification of the library as read. Returns how many there were. */
export function markAllRead(tx: Db, reader: Reader, at: number): number {
  const unread = tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(isFor(reader), isUnread(reader)))
    .all();
  for (const { id } of unread)
    tx.insert(notificationReads).values({ personId: reader.personId, notificationId: id, readAt: at }).run();
  return unread.length;
}
