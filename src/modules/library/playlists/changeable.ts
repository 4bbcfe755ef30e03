import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { type Member, requireOwn } from "../../../kernel/actor.ts";
import type { Need } from "../../../kernel/roles.ts";
import * as queries from "./queries.ts";

/**
 * Returns a playlist that an actor may change, which is not in the bin; undefined when there is none.
 *
 * @throws DomainError `insufficient_scope` for the playlist of somebody else, where the role allows changing only one's own.
 */
export function findChangeable(
  db: Db,
  actor: Member,
  id: string,
  need: Need = "update:playlists",
): queries.ListedPlaylist | undefined {
  const row = queries.findPlaylist(db, actor.accountId, id);
  if (row) requirePlaylist(actor, need, row);
  return row;
}

/** Passes when an actor may change a playlist. @throws DomainError `insufficient_scope`. */
export function requirePlaylist(
  actor: Member,
  need: Need,
  { madeBy, collaborative }: { madeBy: PersonId | null; collaborative: 0 | 1 },
): void {
  requireOwn(actor, need, { madeBy, isEveryones: collaborative === 1 });
}
