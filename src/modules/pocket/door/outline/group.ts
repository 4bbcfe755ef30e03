import type { LibraryId } from "../../../../../db/schema.ts";
import { fold } from "../../../../kernel/text.ts";
import { readNumber } from "../../../library/playlists/service.ts";
import type { OutlinedList, OutlinedTrack } from "./queries.ts";

/** Tracks that are an album, and what says so. */
export type Group = {
  id: string;
  name: string;
  artist: string | null;
  /** In order. */
  tracks: readonly OutlinedTrack[];
} & ({ kind: "album"; list: OutlinedList } | { kind: "tags" | "set" | "unreleased" });

/** Groups, and which of them each track belongs to first. */
export type Groups = { groups: readonly Group[]; groupOf: ReadonlyMap<string, Group> };

/** What is grouped. Only what the caller may see. */
export type Grouped = {
  accountId: LibraryId;
  /** The artist of tracks that name none. */
  accountName: string;
  tracks: ReadonlyMap<string, OutlinedTrack>;
  /** Each with its tracks in order. */
  albums: readonly { list: OutlinedList; tracks: readonly OutlinedTrack[] }[];
  /** The main mix first. */
  sets: readonly { id: string; tracks: readonly OutlinedTrack[] }[];
};

/**
 * Puts every track on an album: the first of the library's albums that holds it, else the one that its tags name, else its set,
 * else what its artist has not released. An album of the library and a set show all that is theirs, also what belongs to another
 * one first.
 */
export function groupTracks(grouped: Grouped): Groups {
  const groupOf = new Map<string, Group>();
  const groups: Group[] = [];
  const add = (group: Group) => {
    groups.push(group);
    for (const { id } of group.tracks) if (!groupOf.has(id)) groupOf.set(id, group);
  };
  const isLeft = ({ id }: OutlinedTrack) => !groupOf.has(id);
  const rest = () => [...grouped.tracks.values()].filter(isLeft);

  for (const group of ofAlbums(grouped)) add(group);
  for (const group of ofTags(grouped, rest())) add(group);
  for (const group of ofSets(grouped)) if (group.tracks.some(isLeft)) add(group);
  for (const group of unreleased(grouped, rest())) add(group);
  return { groups, groupOf };
}

const artistOf = ({ accountName }: Grouped, { artist }: OutlinedTrack) => textOf(artist) ?? accountName;

function ofAlbums({ accountId, albums }: Grouped): Group[] {
  return albums
    .filter(({ tracks }) => tracks.length > 0)
    .map(({ list, tracks }) => ({
      kind: "album",
      list,
      id: hashedId("al", accountId, "album", list.id),
      name: list.name,
      artist: textOf(list.artist),
      tracks,
    }));
}

function ofTags(grouped: Grouped, tracks: readonly OutlinedTrack[]): Group[] {
  const albumArtist = (track: OutlinedTrack) => textOf(track.albumArtist) ?? artistOf(grouped, track);
  const tagged = tracks.flatMap((track) => {
    const name = textOf(track.album);
    return name === null ? [] : [{ track, name, artist: albumArtist(track) }];
  });
  const albums = Map.groupBy(tagged, ({ name, artist }) => JSON.stringify([fold(artist), fold(name)]));
  return [...albums].map(([key, own]) => ({
    kind: "tags",
    id: hashedId("al", grouped.accountId, "tags", key),
    name: own[0]?.name ?? "",
    artist: own[0]?.artist ?? null,
    tracks: own.map(({ track }) => track).sort(byNumber),
  }));
}

function ofSets(grouped: Grouped): Group[] {
  return grouped.sets.flatMap(({ id, tracks }): Group[] => {
    const [main, another] = tracks;
    if (!main || !another) return [];
    const name = titleOf(main);
    const artist = artistOf(grouped, main);
    return [{ kind: "set", id: hashedId("al", grouped.accountId, "set", id), name, artist, tracks }];
  });
}

function unreleased(grouped: Grouped, tracks: readonly OutlinedTrack[]): Group[] {
  const byArtist = Map.groupBy(tracks, (track) => fold(artistOf(grouped, track)));
  return [...byArtist].map(([key, own]) => ({
    kind: "unreleased",
    id: hashedId("al", grouped.accountId, "unreleased", key),
    name: "Unreleased",
    artist: own[0] ? artistOf(grouped, own[0]) : null,
    tracks: own.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
  }));
}

/** Returns an id of the player's door. It is lower case: some players keep files by it where case does not count. */
export function hashedId(prefix: "al" | "ar", ...parts: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${prefix}-${hash.slice(0, 20)}`;
}

/** Returns a text without blanks around it; null for one that says nothing. */
export const textOf = (text: string | null): string | null => text?.trim() || null;

/** What a track is called. */
export const titleOf = ({ title, name }: Pick<OutlinedTrack, "title" | "name">): string =>
  textOf(title) ?? name;

function byNumber(a: OutlinedTrack, b: OutlinedTrack): number {
  const [one, other] = [a, b].map(
    ({ discNumber, trackNumber }) =>
      (readNumber(discNumber) ?? 1) * 10_000 + (readNumber(trackNumber) ?? 9999),
  );
  return (one ?? 0) - (other ?? 0) || (a.id < b.id ? -1 : 1);
}
