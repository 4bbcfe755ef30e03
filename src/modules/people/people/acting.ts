import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId, Role } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { allowedInRooms, allowedTo } from "../../../kernel/roles.ts";
import { roomsOf } from "../rooms/service.ts";

/** Somebody in a library, with what they may there now, and where they are written to. */
export type Present = Pick<SessionActor, "accountId" | "personId" | "memberId" | "allowed" | "rooms"> & {
  email: string;
  name: string;
  joinedAt: number;
};

type PresentRow = {
  memberId: string;
  email: string;
  name: string;
  joinedAt: number;
  role: Role;
  reach: "library" | "rooms";
  seesSplits: 0 | 1;
  seesListening: 0 | 1;
};

const presence = prepared((db) =>
  db.$client.prepare<PresentRow, [string, string, number]>(
    `SELECT m.id AS memberId, p.email, p.name, m.joined_at AS joinedAt, m.role, m.reach, m.sees_splits AS seesSplits, m.sees_listening AS seesListening
     FROM members m JOIN people p ON p.id = m.person_id AND p.active = 1
     JOIN accounts a ON a.id = m.account_id AND a.active = 1
     WHERE m.account_id = ?1 AND m.person_id = ?2 AND ifnull(m.ends_at > ?3, 1)`,
  ),
);

/**
 * Returns somebody as they are in a library at `at`, as a session of theirs would: with their role, and as a guest with their rooms.
 * Undefined when they are blocked, no longer in it, or it is disabled.
 */
export function findPresent(
  db: Db,
  { accountId, personId }: { accountId: LibraryId; personId: PersonId },
  at: number,
): Present | undefined {
  const row = presence(db).get(accountId, personId, at);
  if (!row) return undefined;
  const { memberId, email, name, joinedAt } = row;
  const who = { accountId, personId, memberId, email, name, joinedAt };
  if (row.reach === "library")
    return { ...who, allowed: allowedTo(row.role, row.seesSplits === 1, row.seesListening === 1) };
  const rooms = roomsOf(db, memberId);
  return { ...who, allowed: allowedInRooms(rooms), rooms };
}
