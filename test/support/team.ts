import { eq } from "drizzle-orm";
import { members, type PersonId, people, type Role, roomMembers } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import type { TestApp } from "./app.ts";

type Membership = { role: Role; splits?: boolean; listening?: boolean };

/** Makes a person who has a sign-in already a member of one more library. */
export function joinToo(
  { deps }: Pick<TestApp, "deps">,
  accountId: string,
  personId: string,
  { role, splits = false, listening = false }: Membership,
): string {
  const memberId = newId("mem");
  const switches = { seesSplits: splits, seesListening: listening };
  deps.db
    .insert(members)
    .values({
      id: memberId,
      accountId,
      personId: personId as PersonId,
      role,
      ...switches,
      joinedAt: deps.now(),
    })
    .run();
  return memberId;
}

/** Makes a person a member of a library, and signs them in there. */
export function addMember(
  app: Pick<TestApp, "deps">,
  accountId: string,
  membership: Membership,
): { personId: PersonId; memberId: string; token: string } {
  const { deps } = app;
  const personId = newId("usr") as PersonId;
  const name = `The ${membership.role}`;
  const person = { id: personId, email: `${personId}@example.com`, name, createdAt: deps.now() };
  deps.db.insert(people).values(person).run();
  const memberId = joinToo(app, accountId, personId, membership);
  const client = { ip: "test", userAgent: null };
  return { personId, memberId, token: beginSession(deps, person, client, { accountId }).token };
}

type RoomOptions = { role?: "artist" | "listener"; splits?: boolean; listening?: boolean };

/** Makes a person a guest of a library, who sees only these playlists, and signs them in there. */
export function addGuest(
  app: Pick<TestApp, "deps">,
  accountId: string,
  rooms: Readonly<Record<string, RoomOptions>>,
): ReturnType<typeof addMember> {
  const { db, now } = app.deps;
  const guest = addMember(app, accountId, { role: "listener" });
  db.update(members).set({ reach: "rooms" }).where(eq(members.id, guest.memberId)).run();
  for (const [playlistId, { role = "listener", splits = false, listening = false }] of Object.entries(rooms))
    db.insert(roomMembers)
      .values({
        playlistId,
        memberId: guest.memberId,
        role,
        seesSplits: splits,
        seesListening: listening,
        addedAt: now(),
      })
      .run();
  return guest;
}
