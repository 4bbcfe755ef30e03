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
