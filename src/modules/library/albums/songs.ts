import { fold } from "../../../kernel/text.ts";
import type { ArrivalRow } from "./queries.ts";
import { naturalKey, type Place, readPlace, withoutDisc } from "./read-place.ts";

/** A song that came in with a folder. */
export type Song = ArrivalRow & {
  place: Place;
  /** What its file calls the album, folded and without the disc; empty: nothing. */
  albumKey: string;
  disc: number;
  /** As its file has it, else as its name says. */
  number: number | null;
};

/** Returns a song as its file and its path put it. */
export function toSong(row: ArrivalRow): Song {
  const place = readPlace(row.path);
  const album = row.album === null ? "" : fold(withoutDisc(row.album.trim()));
  const tagged = numberOf(row.trackNumber);
  return {
    ...row,
    place,
    albumKey: album,
    disc: numberOf(row.discNumber) ?? place.disc ?? 1,
    number: tagged ?? place.number,
  };
}

/** Returns the number that a tag begins with: of `3/12` 3. */
function numberOf(text: string | null): number | null {
  const number = Number(/^\s*0*(\d{1,3})(?!\d)/.exec(text ?? "")?.[1] ?? 0);
  return number >= 1 ? number : null;
}

/** Returns songs in the order of their discs and numbers; those without a number come last, by their names. */
export function inOrder(songs: readonly Song[]): Song[] {
  const places = songs.map(placeOf);
  // Files that all say "1" are told apart by their names.
  const byTags = new Set(places).size === places.length || songs.some(({ place }) => place.number === null);
  const keyOf = (song: Song) => {
    const number = byTags ? song.number : song.place.number;
    return `${digits(song.disc)} ${digits(number ?? 99_999)} ${naturalKey(song.path)}`;
  };
  const keys = new Map(songs.map((song) => [song, keyOf(song)]));
  return songs.toSorted((a, b) => ((keys.get(a) ?? "") < (keys.get(b) ?? "") ? -1 : 1));
}

const digits = (number: number) => String(number).padStart(6, "0");

/** Returns disc and number; of a song without a number a text that no other has. */
const placeOf = ({ disc, number, seq }: Song) => (number === null ? `#${seq}` : `${disc} ${number}`);

/** Songs that are one album, and which playlist it is; null: none yet. */
export type Group = { playlistId: string | null; songs: Song[] };

const LEAST_SONGS = 2;
/** More songs than that are a library of samples. */
const MAX_SONGS = 500;

/**
 * Returns the albums that the songs of a folder are: those that share the name of an album, and those that are numbered. Songs
 * that are neither stay separate.
 *
 * @param onlyTagged The folder is no record: numbers alone make no album.
 */
export function albumsIn(songs: readonly Song[], onlyTagged: boolean): Group[] {
  const tagged = Map.groupBy(
    songs.filter(({ albumKey }) => albumKey !== ""),
    ({ albumKey }) => albumKey,
  );
  const named = [...tagged.values()].filter(isSeveral).flatMap(ofOneName);
  const loose = songs.filter(({ albumKey }) => albumKey === "");
  const [only, another] = named;
  // A song whose tags were forgotten.
  if (only && !another) return [joined(only, loose.filter(isNumbered))].filter(fits);
  return [...named, ...(onlyTagged ? [] : numberedIn(loose))].filter(fits);
}

const isSeveral = (songs: readonly Song[]) =>
  new Set(songs.map(({ trackId }) => trackId)).size >= LEAST_SONGS;
const isNumbered = ({ place, number }: Song) => number !== null && !place.isWeak;
const fits = ({ songs }: Group) => songs.length <= MAX_SONGS;

/** Songs of one name are one album, unless they have become several already. */
const ofOneName = (songs: Song[]): Group[] => [{ playlistId: newestAlbum(songs), songs }];

const newestAlbum = (songs: readonly Song[]): string | null =>
  songs
    .map(({ playlistId }) => playlistId)
    .filter((id) => id !== null)
    .sort()
    .at(-1) ?? null;

/** Adds songs whose place in the album is free. */
function joined({ playlistId, songs }: Group, more: readonly Song[]): Group {
  const taken = new Set(songs.map(placeOf));
  const joiners = more.filter(
    (song) => song.playlistId === playlistId || (song.playlistId === null && !taken.has(placeOf(song))),
  );
  return { playlistId, songs: [...songs, ...joiners] };
}

function numberedIn(loose: readonly Song[]): Group[] {
  const albumId = newestAlbum(loose);
  const own = loose.filter(({ playlistId }) => albumId !== null && playlistId === albumId);
  const free = loose.filter(({ playlistId }) => playlistId === null);
  if (albumId === null) return isCounted(free) ? [{ playlistId: null, songs: withOthers(free) }] : [];
  const group = joined({ playlistId: albumId, songs: own }, free);
  // Another record in a folder of the same name.
  const rest = free.filter((song) => !group.songs.includes(song));
  return [group, ...(isCounted(rest) ? [{ playlistId: null, songs: withOthers(rest) }] : [])];
}

/** Songs without a number come along where most have one. */
function withOthers(songs: readonly Song[]): Song[] {
  const numbered = songs.filter(({ number }) => number !== null);
  return numbered.length * 2 > songs.length ? [...songs] : numbered;
}

/** True when two or more songs have numbers that count them. */
function isCounted(songs: readonly Song[]): boolean {
  const numbered = songs.filter(({ number }) => number !== null);
  const places = new Set(numbered.map(placeOf));
  // A song may be there as WAV and as MP3.
  if (places.size < LEAST_SONGS || places.size * 2 < numbered.length) return false;
  const weak = numbered.filter(({ place, number }) => place.isWeak && number === place.number);
  const numbers = weak.map(({ number }) => number ?? 0);
  // `7 Rings` and `99 Problems` are titles; `101` to `212` are two discs.
  const isCredible = Math.max(0, ...numbers) <= 3 * songs.length || numbers.some((each) => each === 101);
  return isCredible || numbered.length - weak.length >= LEAST_SONGS;
}
