import { transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { recordActivity, userActor } from "../analytics/service.ts";
import * as queries from "./queries.ts";
import type { Saved, SavedEntity } from "./shapes.ts";

export { transferSaves } from "./transfer.ts";

/** Who saves, and in which library. */
type Saver = Pick<SessionActor, "accountId" | "personId">;

/**
 * Saves one of a library's tracks or playlists for a person. Saving it again changes nothing and is not counted.
 *
 * @throws DomainError `track_not_found`, `playlist_not_found`.
 */
export function save(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId, personId }: Saver,
  entity: SavedEntity,
  id: string,
): Saved {
  return transact(db, (tx) => {
    if (!queries.isOwn(tx, accountId, entity, id))
      throw new DomainError(`${entity}_not_found`, `There is no such ${entity}`);
    const at = now();
    if (queries.insertSave(tx, { personId, accountId, entity, entityId: id, createdAt: at })) {
      const actor = userActor(tx, accountId);
      recordActivity(tx, { ownerId: accountId, entity, entityId: id, metric: "saved", actor }, at);
    }
    return { ok: true as const, entity, id, saved: true };
  });
}

/** Removes a save. Does nothing when there is no such save, even when the track or playlist does not exist. */
export function unsave(
  { db }: Pick<Deps, "db">,
  { personId }: Saver,
  entity: SavedEntity,
  id: string,
): Saved {
  return transact(db, (tx) => {
    queries.deleteSave(tx, personId, entity, id);
    return { ok: true as const, entity, id, saved: false };
  });
}
