import type { Deps } from "../../../kernel/deps.ts";
import { findAccount } from "../../people/accounts/service.ts";
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
  /** The library in outline; empty for a method that needs none. */
  outline: Outline;
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
  const accountName = findAccount(deps.db, player.accountId)?.name ?? "";
  const made = await outlineOf({ accountId: player.accountId, accountName });
  return { deps, ...asked, outline: isInFolder(parameters) ? made : emptied(made) };
}

/** Makes a call of a method that needs no outline: a large library is not read for a sound that plays. */
export const callWithoutOutline = (
  deps: Deps,
  asked: Pick<Call, "player" | "parameters" | "signal">,
): Call => ({ deps, ...asked, outline: NO_OUTLINE });

/** The id of the one music folder. */
export const FOLDER_ID = 1;

const isInFolder = ({ find }: Parameters) =>
  (find("musicFolderId") ?? String(FOLDER_ID)) === String(FOLDER_ID);

const NO_OUTLINE: Outline = {
  name: "",
  songs: [],
  albums: [],
  artists: [],
  playlists: [],
  songOf: new Map(),
  albumOf: new Map(),
  artistOf: new Map(),
  playlistOf: new Map(),
  genres: new Map(),
  madeAt: 0,
};

const emptied = ({ name, genres, madeAt }: Outline): Outline => ({ ...NO_OUTLINE, name, genres, madeAt });
