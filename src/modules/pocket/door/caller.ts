import type { Deps } from "../../../kernel/deps.ts";
import { findAccount } from "../../people/accounts/service.ts";
import { roomTracks } from "../../people/rooms/service.ts";
import type { Player, PlayerUses } from "../players/service.ts";
import type { OutlineOf } from "./outline/kept.ts";
import type { Outline } from "./outline/outline.ts";
import type { Parameters } from "./parameters.ts";

/** What the door needs beside {@link Deps}: what lives as long as the service. */
export type DoorParts = { playerUses: PlayerUses };

/** A call of a method by a player that proved who it is. */
export type Call = {
  deps: Deps;
  player: Player;
  parameters: Parameters;
  /** What the player sees of the library. */
  outline: Outline;
  /** True for a track that the player's person reaches now, whatever the outline says. */
  reaches: (trackId: string) => boolean;
  /** Ends the work when nobody waits for it any more. */
  signal: AbortSignal;
};

/** Makes a call of what was sent. The one music folder has everything; any other is empty. */
export async function callOf(
  deps: Deps,
  outlineOf: OutlineOf,
  asked: Pick<Call, "player" | "parameters" | "signal">,
): Promise<Call> {
  const { player, parameters } = asked;
  const tracks = roomTracks(deps, player);
  const made = await outlineOf({
    accountId: player.accountId,
    accountName: findAccount(deps.db, player.accountId)?.name ?? "",
    ...(tracks && { reach: { tracks, lists: new Set(player.rooms?.map(({ playlistId }) => playlistId)) } }),
  });
  const outline = isInFolder(parameters) ? made : emptied(made);
  return { deps, ...asked, outline, reaches: (trackId) => tracks?.has(trackId) ?? true };
}

/** The id of the one music folder. */
export const FOLDER_ID = 1;

const isInFolder = ({ find }: Parameters) =>
  (find("musicFolderId") ?? String(FOLDER_ID)) === String(FOLDER_ID);

const emptied = (outline: Outline): Outline => ({
  ...outline,
  songs: [],
  albums: [],
  artists: [],
  playlists: [],
  songOf: new Map(),
  albumOf: new Map(),
  artistOf: new Map(),
  playlistOf: new Map(),
});
