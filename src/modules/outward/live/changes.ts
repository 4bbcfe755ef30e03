import type { Db } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Need } from "../../../kernel/roles.ts";
import { roomTracks } from "../../people/rooms/service.ts";
import { selectChanges, selectGuestChanges, selectRange } from "./queries.ts";
import type { Change } from "./shapes.ts";

/** What a client has to hear, and the number of the change up to which it then knows everything. */
export type News = { seq: number; changes: Change[]; isLost: boolean };

/** Whom changes are told to: a member of a library, or a guest of some rooms. */
export type Listener = Pick<SessionActor, "accountId" | "personId" | "memberId" | "allowed" | "rooms">;

/** What a topic needs of the role of whoever hears of it. Every member hears of the others. */
const NEEDED: Partial<Record<Change["topic"], Need>> = {
  shares: "read:shares",
  activity: "read:analytics",
  comments: "read:comments",
  submissions: "read:briefs",
  notifications: "read:notifications",
  composers: "read:composers",
  uploads: "create:tracks",
};

/**
 * Returns what changed for a member of a library after the change that a client heard of last; left out: nothing, but the place
 * to go on from. Of files on their way, only their own are told; guests hear only of what is in their rooms.
 */
export function newsAfter(db: Db, listener: Listener, after: number | undefined): News {
  const { allowed } = listener;
  const { latest, floor } = selectRange(db);
  // A number that was never given away is from the time before an older database was put back.
  const isLost = after !== undefined && (after < floor || after > latest);
  const isKnown = after === undefined || after === latest || isLost;
  const changes = isKnown ? [] : changesFor(db, listener, { after, upTo: latest });
  return { seq: latest, changes: changes.filter(({ topic }) => mayHear(allowed, topic)), isLost };
}

function changesFor(
  db: Db,
  { accountId, personId, memberId, rooms }: Listener,
  range: { after: number; upTo: number },
): Change[] {
  if (!rooms) return selectChanges(db, { accountId, personId, ...range });
  const tracks = roomTracks({ db }, { rooms }) ?? new Set();
  return selectGuestChanges(db, { accountId, personId, memberId, tracks: [...tracks], ...range });
}

function mayHear({ needs }: SessionActor["allowed"], topic: Change["topic"]): boolean {
  const need = NEEDED[topic];
  return need === undefined || needs.has(need);
}
