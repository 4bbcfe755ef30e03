import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { type Member, mayDo } from "../../../kernel/actor.ts";
import { currentMember } from "../../../kernel/current-request.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import type { Need } from "../../../kernel/roles.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { peopleIn } from "../people/service.ts";
import { roomTracks } from "../rooms/service.ts";
import { ownerOf } from "../team/service.ts";
import * as queries from "./queries.ts";
import {
  ENTITY_KEYS,
  type EntityKey,
  type Notification,
  type NotificationsQuery,
  type ReadAll,
} from "./shapes.ts";

export { isForGuests } from "./queries.ts";
export {
  findMailTrouble,
  tellBackupFailed,
  tellMailTrouble,
  tellReplicaFailed,
} from "./to-operator.ts";
export { forgetReviewed, tellHourly, tellInstead, tellReviewed, tellShareAnswered } from "./told.ts";
export { transferNotifications } from "./transfer.ts";
export { listUnheard, type Unheard } from "./unheard.ts";

type Reader = queries.Reader;

/** What it takes to open what a notification is about. Every member opens what is of the library. */
const NEEDED: Readonly<Record<EntityKey, Need | undefined>> = {
  track: "read:tracks",
  playlist: "read:playlists",
  composer: "read:composers",
  brief: "read:briefs",
  key: "manage:keys",
  library: undefined,
};

/** What it takes to know of it at all, besides opening the thing. */
const NEEDED_OF_KIND: Readonly<Record<string, Need>> = { "share.answered": "read:shares" };

/**
 * Returns who reads: the person of a session, or who made a key. What any other key reads is read for the owner of its library. A
 * guest reads what is about the tracks of their rooms, as long as it names nothing else.
 *
 * @throws DomainError `not_found` when there is no such library.
 */
export function readerOf({ db }: Pick<Deps, "db">, actor: Member): Reader {
  const { accountId } = actor;
  const personId = actor.personId ?? ownerOf(db, accountId);
  if (personId === undefined) throw new DomainError("not_found", "There is no such library");
  const entityKeys = ENTITY_KEYS.filter((key) => {
    const need = NEEDED[key];
    return need === undefined || mayDo(actor, need);
  });
  const tracks = roomTracks({ db }, actor);
  const hiddenKinds = Object.entries(NEEDED_OF_KIND).flatMap(([kind, need]) =>
    mayDo(actor, need) ? [] : [kind],
  );
  return {
    accountId,
    personId,
    entityKeys,
    hiddenKinds,
    ...(tracks && { tracks: JSON.stringify([...tracks]) }),
  };
}

/** A message to an account, and its subject. */
export type NewNotification = {
  accountId: LibraryId;
  /** For example `track.audio_replaced`. */
  kind: `${string}.${string}`;
  /** One sentence for the owner to read, without e-mail addresses. */
  title: string;
  entityKey: EntityKey;
  entityId: string;
  /** For whom. Left out or null: for everybody who may see the thing. */
  personId?: PersonId | null;
  /** Whose doing it was. */
  madeBy?: PersonId | null;
};

/** Notifies an account. Call it inside the transaction that makes the change. */
export function notify(tx: Db, notification: NewNotification, at: number): void {
  const madeBy = currentMember(notification.accountId);
  queries.insertNotification(tx, { id: newId("ntf"), madeBy, ...notification, createdAt: at });
}

/** A version whose file is not on the disk. */
export type MissingFile = { ownerId: LibraryId; trackId: string; versionId: string; name: string };

/**
 * Tells the owner and the log that a version's file is missing: once per version, however often the file is
 * requested.
 */
export function tellFileMissing(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  { ownerId, trackId, versionId, name }: MissingFile,
): void {
  // The id contains the version's id, so there is at most one per version.
  const id = `ntf_missing_${versionId}`;
  if (queries.hasNotification(db, id)) return;
  log("error", "The file of a version is missing from the audio folder", { versionId });
  const title = `The audio file of ${name} is missing from the server: restore a backup, or upload it again`;
  const about = { kind: "track.file_missing", entityKey: "track", entityId: trackId };
  queries.insertNotification(db, { id, accountId: ownerId, title, ...about, createdAt: now() });
}

const MIX_FOUND = "track.mix_found";

/**
 * Tells an account that a track sounds like a mix of another. While such a notification is unread, one more changes that one.
 *
 * @param count How many tracks the account is asked about.
 */
export function tellMixFound(
  tx: Db,
  mix: { accountId: LibraryId; trackId: string; title: string; otherTitle: string; count: number },
  at: number,
): void {
  const { accountId, trackId, title, otherTitle, count } = mix;
  const unread = queries.findUnread(tx, accountId, MIX_FOUND);
  if (unread === undefined || count < 2) {
    const sentence = `“${title}” sounds like a mix of “${otherTitle}”`;
    notify(tx, { accountId, kind: MIX_FOUND, title: sentence, entityKey: "track", entityId: trackId }, at);
    return;
  }
  const sentence = `${count} new tracks sound like mixes of others`;
  queries.updateNotification(tx, unread, { title: sentence, ...aboutLibrary(MIX_FOUND), createdAt: at });
}

/**
 * Forgets that a track sounds like a mix of another: it has been decided. Call it inside the transaction that does so.
 *
 * @param count How many tracks the account is still asked about.
 */
export function forgetMixFound(
  tx: Db,
  { accountId, trackId, count }: { accountId: LibraryId; trackId: string; count: number },
): void {
  queries.deleteAbout(tx, { accountId, kind: MIX_FOUND, entityId: trackId });
  const { entityId } = aboutLibrary(MIX_FOUND);
  if (count === 0) queries.deleteAbout(tx, { accountId, kind: MIX_FOUND, entityId });
}

const LISTENING = "library.listening_started";
const LISTENED = "library.listening_ended";

/**
 * Tells an account that its library is listened to again: once per version of the ears.
 *
 * @param count Returns how many tracks that are. Called only when the account is told.
 */
export function tellListening(
  tx: Db,
  { accountId, ears, count }: { accountId: LibraryId; ears: string; count: () => number },
  at: number,
): void {
  const id = `ntf_ears_${ears}_${accountId}`;
  if (queries.hasNotification(tx, id)) return;
  const title = `Listening again to the tracks of this library (${count()}), for better search and suggestions`;
  queries.insertNotification(tx, { id, accountId, title, ...aboutLibrary(LISTENING), createdAt: at });
}

/**
 * Tells the accounts that {@link tellListening} notified of these ears that the listening has ended: once per version.
 *
 * @param countLeft Returns how many tracks of an account could not be listened to.
 */
export function tellListened(
  tx: Db,
  { ears, countLeft }: { ears: string; countLeft: (accountId: LibraryId) => number },
  at: number,
): void {
  for (const { id: startId, accountId } of queries.listOfKind(tx, LISTENING)) {
    const id = `${startId}_end`;
    if (!startId.startsWith(`ntf_ears_${ears}_`) || queries.hasNotification(tx, id)) continue;
    const left = countLeft(accountId);
    const rest = left === 0 ? "" : `. Not heard, because the file cannot be read (tracks: ${left})`;
    const title = `The library has been listened to again${rest}`;
    queries.insertNotification(tx, { id, accountId, title, ...aboutLibrary(LISTENED), createdAt: at });
  }
}

const aboutLibrary = (kind: string) => ({ kind, entityKey: "library" as const, entityId: "library" });

/**
 * Returns a page of an account's notifications, newest first, and how many of all are unread.
 *
 * @throws DomainError `validation_failed` for a cursor that was not issued to this account.
 */
export function listNotifications(
  deps: Pick<Deps, "db" | "now">,
  reader: Reader,
  query: NotificationsQuery,
): Page<Notification> & { unreadCount: number } {
  const { db } = deps;
  const select = (after: Place, limit: number) => queries.listNotifications(db, reader, after, limit);
  const { items, paging } = cutPage(
    query,
    `notifications ${reader.accountId}`,
    select,
    (row) => row.createdAt,
  );
  return {
    items: toNotifications(deps, reader, items),
    paging,
    unreadCount: queries.countUnread(db, reader),
  };
}

/**
 * Marks a notification as read and returns it. If it was read before, it keeps that time.
 *
 * @throws DomainError `notification_not_found`.
 */
export function readNotification(deps: Pick<Deps, "db" | "now">, reader: Reader, id: string): Notification {
  return transact(deps.db, (tx) => {
    const row = queries.markRead(tx, reader, id, deps.now());
    const [read] = row ? toNotifications(within(deps, tx), reader, [row]) : [];
    if (!read) throw new DomainError("notification_not_found", "There is no such notification");
    return read;
  });
}

/** Marks every notification of a library as read. */
export function readAllNotifications({ db, now }: Pick<Deps, "db" | "now">, reader: Reader): ReadAll {
  return transact(db, (tx) => ({ ok: true as const, read: queries.markAllRead(tx, reader, now()) }));
}

function toNotifications(
  deps: Pick<Deps, "db" | "now">,
  { accountId }: Reader,
  rows: readonly queries.ReadRow[],
): Notification[] {
  const by = peopleIn(
    deps,
    accountId,
    rows.map(({ madeBy }) => madeBy),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    title: row.title,
    entityKey: row.entityKey,
    entityId: row.entityId,
    createdAt: toIso(row.createdAt),
    readAt: toIsoOrNull(row.readAt),
    by: by(row.madeBy),
  }));
}
