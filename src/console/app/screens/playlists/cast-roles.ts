import type { Card } from "../../playlists/types.ts";

/** A playlist that guests see. */
export type Room = Pick<Card, "id" | "name">;

/** What a guest can be in a room. */
export const ROLES = { artist: "Artist", listener: "Listener" } as const;
export type RoomRole = keyof typeof ROLES;
