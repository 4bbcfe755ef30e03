import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";

/** What is said of a track at most once an hour. */
type Told = {
  accountId: LibraryId;
  trackId: string;
  kind: `comment.${string}`;
  /** One sentence, without a visitor's name. */
  title: string;
  /** What makes it one thing within the hour, such as a link and a version. */
  about: readonly string[];
  /** For whom; null: for everybody who may see the track. */
  personId: PersonId | null;
  /** Whose doing it was; null: a visitor's. */
  madeBy: PersonId | null;
};

/** Tells it, unless it was told in this hour. Call it inside the transaction of what happened. */
export function tellHourly(tx: Db, told: Told, at: number): void {
  queries.insertNotification(tx, rowOf(told, at));
}

/** Tells it in place of what was told in this hour: that is unread again. Call it inside the transaction of what happened. */
export function tellInstead(tx: Db, told: Told, at: number): void {
  queries.putNotification(tx, rowOf(told, at));
}

function rowOf({ trackId, about, ...told }: Told, at: number) {
  const id = ["ntf", told.kind, ...about, Math.floor(at / HOUR_MS)].join("_");
  return { id, ...told, entityKey: "track", entityId: trackId, createdAt: at };
}

/** What was said of a version of a track. */
type Reviewed = {
  accountId: LibraryId;
  reviewId: string;
  kind: "version.approved" | "version.changes";
  title: string;
  trackId: string;
  /** Null: the recipient of a link. */
  madeBy: PersonId | null;
};

/**
 * Tells a library, except whoever said it, what was said of a version. What the same person or link says of it within the hour
 * replaces that, and is unread again.
 */
export function tellReviewed(tx: Db, { reviewId, trackId, ...said }: Reviewed, at: number): void {
  const about = { entityKey: "track", entityId: trackId } as const;
  queries.putNotification(tx, { id: reviewedId({ id: reviewId, at }), ...said, ...about, createdAt: at });
}

/** Forgets the last that was said of a version: it was taken back. */
export function forgetReviewed(tx: Db, review: { id: string; at: number }): void {
  queries.deleteNotification(tx, reviewedId(review));
}

const reviewedId = ({ id, at }: { id: string; at: number }) => `ntf_${id}_${Math.floor(at / HOUR_MS)}`;

/** What was answered through a link. */
type Answered = {
  accountId: LibraryId;
  shareId: string;
  entity: "track" | "playlist";
  entityId: string;
  title: string;
};

/** Tells those of a library who see its links of what was answered through one. What is answered within the hour replaces that. */
export function tellShareAnswered(
  tx: Db,
  { accountId, shareId, entity: entityKey, entityId, title }: Answered,
  at: number,
): void {
  const id = `ntf_${shareId}_${Math.floor(at / HOUR_MS)}`;
  const told = { accountId, kind: "share.answered", title, entityKey, entityId, createdAt: at };
  queries.putNotification(tx, { id, ...told });
}
