import type { Role } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES, type OrdinaryScope } from "./scopes.ts";

/** What only people may: no key and no grant can have it, and the scope catalogue does not show it. */
export const POWERS = [
  "download:originals",
  "manage:briefs",
  "manage:library",
  "manage:keys",
  "manage:team",
  "send:mail",
  "own:library",
] as const;
export type Power = (typeof POWERS)[number];

/** What a guest can be in a room. */
export type RoomRole = Extract<Role, "artist" | "listener">;

/** What an operation can ask of a member: a scope, as of a key, or a power. */
export type Need = OrdinaryScope | Power;

/** Every {@link Need}. */
export const NEEDS: readonly Need[] = [...ASSIGNABLE_SCOPES, ...POWERS];

/** From the one who may everything to the one who may least. */
export const ROLES: readonly Role[] = ["owner", "manager", "producer", "artist", "listener"];

/** Needs of a composer's data, which *Sees splits* opens for reading. */
const SPLITS: readonly Need[] = ["read:composers", "read:composer"];
const LISTENING: readonly Need[] = ["read:analytics"];

const LISTENER: readonly Need[] = [
  "read:tracks",
  "read:playlists",
  "read:comments",
  "create:comments",
  "read:notifications",
  "update:notifications",
];
const ARTIST: readonly Need[] = [
  ...LISTENER,
  "create:tracks",
  "create:playlists",
  "update:playlists",
  "download:originals",
];
const PRODUCER: readonly Need[] = [
  ...ARTIST,
  "update:tracks",
  "read:shares",
  "create:shares",
  "update:shares",
  "read:briefs",
  "manage:briefs",
  "send:mail",
];
const MANAGER: readonly Need[] = NEEDS.filter((need) => need !== "own:library");

/** What each role may whatever its member sees. */
const MAY: Readonly<Record<Role, readonly Need[]>> = {
  owner: NEEDS,
  manager: MANAGER,
  producer: PRODUCER,
  artist: ARTIST,
  listener: LISTENER,
};

/** What a member may, as of now: worked out once per role and pair of switches. */
export type Allowed = {
  role: Role;
  needs: ReadonlySet<Need>;
  /** Those of the needs that hold only for what the person made, or what everyone may change. */
  own: ReadonlySet<Need>;
  scopes: readonly OrdinaryScope[];
  powers: readonly Power[];
};

/** What a role may only with what the person made, or with what everyone may change. */
const OWN: Readonly<Record<string, readonly Need[]>> = { artist: ["create:playlists", "update:playlists"] };

/** In a room, an artist sends in versions, and makes no playlists. */
const IN_ROOM: Readonly<Record<RoomRole, readonly Need[]>> = {
  listener: LISTENER,
  artist: [...LISTENER, "create:tracks", "download:originals"],
};

/** Works out what is allowed to each role, with and without either switch. */
const everyOf = (may: Readonly<Record<string, readonly Need[]>>) =>
  new Map(
    Object.entries(may).flatMap(([role, needs]) =>
      [true, false].flatMap((seesSplits) =>
        [true, false].map((seesListening): [string, Allowed] => {
          const own = new Set([...needs, ...(seesSplits ? SPLITS : []), ...(seesListening ? LISTENING : [])]);
          const allowed = {
            role: role as Role, // `may` names no other
            needs: own,
            own: new Set((OWN[role] ?? []).filter((need) => own.has(need))),
            scopes: ASSIGNABLE_SCOPES.filter((scope) => own.has(scope)),
            powers: POWERS.filter((power) => own.has(power)),
          };
          return [nameOf(role, seesSplits, seesListening), allowed];
        }),
      ),
    ),
  );

const EVERY = everyOf(MAY);
const EVERY_IN_ROOM = everyOf(IN_ROOM);

/** Returns what a member may. */
export function allowedTo(role: Role, seesSplits: boolean, seesListening: boolean): Allowed {
  const allowed = EVERY.get(nameOf(role, seesSplits, seesListening));
  if (!allowed) throw new Error(`There is no role ${role}`);
  return allowed;
}

/** A guest's place in a room: a playlist that they see, and what they are in it. */
export type Room = { playlistId: string; role: RoomRole; seesSplits: boolean; seesListening: boolean };

/** Returns what a guest may who is in these rooms: in each part, the best of them. */
export function allowedInRooms(rooms: readonly Room[]): Allowed {
  const name = nameOf(
    roleInRooms(rooms),
    rooms.some(({ seesSplits }) => seesSplits),
    rooms.some(({ seesListening }) => seesListening),
  );
  const allowed = EVERY_IN_ROOM.get(name);
  if (!allowed) throw new Error(`There is no role ${name} in a room`);
  return allowed;
}

/** Returns what a guest is who is in these rooms. */
export const roleInRooms = (rooms: readonly Room[]): RoomRole =>
  rooms.some(({ role }) => role === "artist") ? "artist" : "listener";

function nameOf(role: string, seesSplits: boolean, seesListening: boolean): string {
  return `${role} ${seesSplits} ${seesListening}`;
}
