import type { Database } from "bun:sqlite";
import type { PersonId, Role } from "../../../../db/schema.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Arrival } from "./left-out.ts";
import { named } from "./named.ts";

/** A member whose address or id somebody has here. */
type Taken = {
  personId: PersonId;
  memberId: string;
  name: string;
  email: string;
  role: Role;
  reach: "library" | "rooms";
  seesSplits: number;
  seesListening: number;
  endsAt: number | null;
};

/** A place in the library, or in one room of it. */
type Seat = Pick<Taken, "seesSplits" | "seesListening"> & { role: string; playlistId: string | null };

/**
 * Takes from an attached export, whose values were looked at, the members who are somebody here already, by their address or
 * their id: an export proves nothing about people of this server. Each leaves an open seat, which is an invitation without a
 * link. The owner always stays, so that the import is refused.
 *
 * @returns What was left out, as the ends of sentences.
 */
export function openSeats(client: Database, { accountId, now }: Arrival): string[] {
  const taken = client
    .query<Taken, []>(
      `SELECT p.id AS personId, m.id AS memberId, p.name, p.email, m.role, m.reach, m.sees_splits AS seesSplits,
         m.sees_listening AS seesListening, m.ends_at AS endsAt
       FROM moved.people p JOIN moved.members m ON m.person_id = p.id
       WHERE m.role <> 'owner' AND (p.email IN (SELECT email FROM main.people)
         OR p.id IN (SELECT id FROM main.people UNION ALL SELECT id FROM main.accounts))
       ORDER BY m.joined_at, m.id`,
    )
    .all();
  const add = client.query(
    `INSERT INTO moved.invitations (id, account_id, email, role, playlist_id, sees_splits, sees_listening, member_until,
       created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
  );
  for (const member of taken) {
    const { email, endsAt } = member;
    const isOver = endsAt !== null && endsAt <= now;
    for (const { role, playlistId, seesSplits, seesListening } of isOver ? [] : seatsOf(client, member))
      add.run(newId("inv"), accountId, email, role, playlistId, seesSplits, seesListening, endsAt, now);
    // With them go their passkeys, sessions and what they have read, saved and visited.
    client.query("DELETE FROM moved.people WHERE id = ?").run(member.personId);
  }
  return taken.map(
    ({ name, email }) =>
      `${named({ id: email, name })} as a member: somebody here has that address or id. Their seat is open: invite them again`,
  );
}

/** A guest's seats are in the rooms that they see. */
function seatsOf(client: Database, { memberId, reach, role, seesSplits, seesListening }: Taken): Seat[] {
  if (reach === "library") return [{ role, playlistId: null, seesSplits, seesListening }];
  return client
    .query<Seat, [string]>(
      `SELECT role, playlist_id AS playlistId, sees_splits AS seesSplits, sees_listening AS seesListening
       FROM moved.room_members WHERE member_id = ?`,
    )
    .all(memberId);
}
