import { basename, dirname } from "node:path";
import type { LibraryId } from "../../../db/schema.ts";
import type { Deps } from "../../kernel/deps.ts";
import {
  addTracks,
  createPlaylist,
  getPlaylist,
  listPlaylists,
} from "../../modules/library/playlists/service.ts";
import type { FoundList } from "./lists.ts";

type Tracks = ReadonlyMap<string, string>;
/** A list with the tracks that the library has of it. */
export type OfferedList = { name: string; trackIds: string[]; missing: number };

const LEAST_TRACKS = 2;

/** Returns the lists that may become playlists: those of other programs, and folders with several tracks. */
export function offer(
  lists: readonly FoundList[],
  tracks: Tracks,
  roots: ReadonlySet<string>,
): OfferedList[] {
  const find = finderOf(tracks);
  const named = lists.map(({ name, files }) => {
    const found = files.map(find);
    const trackIds = found.filter((id) => id !== undefined);
    return { name: name.trim(), trackIds: [...new Set(trackIds)], missing: found.length - trackIds.length };
  });
  return [...named, ...foldersOf(tracks, roots)].filter(
    ({ name, trackIds }) => name !== "" && trackIds.length >= LEAST_TRACKS,
  );
}

function foldersOf(tracks: Tracks, roots: ReadonlySet<string>): OfferedList[] {
  const folders = new Map<string, Set<string>>();
  for (const [path, trackId] of tracks) {
    const folder = dirname(path);
    if (roots.has(folder)) continue;
    const own = folders.get(folder) ?? new Set();
    folders.set(folder, own.add(trackId));
  }
  const named = [...folders].map(([folder, ids]) => ({ folder, name: basename(folder), trackIds: [...ids] }));
  return named.map(({ folder, name, trackIds }) => {
    const isShared = named.some((other) => other.folder !== folder && other.name === name);
    return { name: isShared ? `${basename(dirname(folder))} - ${name}` : name, trackIds, missing: 0 };
  });
}

const partsOf = (path: string) => path.normalize("NFC").toLowerCase().split("/").reverse();

/** Finds a file's track, also where the folders lay elsewhere when the list was written: by the longest common end of the path. */
function finderOf(tracks: Tracks): (file: string) => string | undefined {
  const byName = new Map<string, { parts: string[]; trackId: string }[]>();
  for (const [path, trackId] of tracks) {
    const parts = partsOf(path);
    const same = byName.get(parts[0] ?? "") ?? [];
    byName.set(parts[0] ?? "", [...same, { parts, trackId }]);
  }
  return (file) => {
    const wanted = partsOf(file);
    const ranked = (byName.get(wanted[0] ?? "") ?? []).map(({ parts, trackId }) => {
      const differs = parts.findIndex((part, at) => part !== wanted[at]);
      return { trackId, common: differs < 0 ? parts.length : differs };
    });
    const [best, second] = ranked.sort((a, b) => b.common - a.common);
    return best?.common === second?.common && best?.trackId !== second?.trackId ? undefined : best?.trackId;
  };
}

type MakeDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** What became of a list. */
type MadeList = { playlist: string; playlistId: string; added: number };

/** Makes the lists playlists. One that there is by this name gets the tracks that it lacks. Returns what changed. */
export function makePlaylists(deps: MakeDeps, ownerId: LibraryId, lists: readonly OfferedList[]): MadeList[] {
  const existing = allPlaylists(deps, ownerId);
  const changed: MadeList[] = [];
  for (const { name, trackIds } of lists) {
    const playlistId = existing.get(name);
    const made =
      playlistId === undefined
        ? make(deps, ownerId, name, trackIds)
        : fill(deps, ownerId, playlistId, trackIds);
    if (!made) continue;
    existing.set(name, made.playlistId);
    changed.push({ playlist: name, ...made });
  }
  return changed;
}

type Change = Omit<MadeList, "playlist"> | undefined;

function make(deps: MakeDeps, ownerId: LibraryId, name: string, trackIds: readonly string[]): Change {
  const made = createPlaylist(
    deps,
    { accountId: ownerId },
    { name, trackIds: [...trackIds] },
    { isShared: false },
  );
  return made.ok ? { playlistId: made.playlist.id, added: trackIds.length } : undefined;
}

function fill(deps: MakeDeps, ownerId: LibraryId, playlistId: string, trackIds: readonly string[]): Change {
  const found = getPlaylist(deps, { accountId: ownerId }, playlistId);
  const there = new Set("tracks" in found ? found.tracks.map(({ id }) => id) : []);
  const more = trackIds.filter((each) => !there.has(each));
  if (more.length > 0) addTracks(deps, { accountId: ownerId }, playlistId, more);
  return more.length > 0 ? { playlistId, added: more.length } : undefined;
}

function allPlaylists(deps: MakeDeps, ownerId: LibraryId): Map<string, string> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const { items, paging } = listPlaylists(deps, ownerId, { limit: 200, ...(cursor && { cursor }) });
    for (const { id, name } of items) if (!names.has(name)) names.set(name, id);
    cursor = paging.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return names;
}
