import type { Loudness } from "../../../../kernel/loudness.ts";

/** A song as an outline has it: what decides where it is listed. Everything else is read when it is shown. */
export type Song = {
  trackId: string;
  /** Folded. */
  key: string;
  /** Title, artist and album, folded, each word after a blank. */
  words: string;
  artistId: string;
  /** The album that it belongs to first. */
  albumId: string;
  createdAt: number;
  mixedAt: number;
  isNewMix: boolean;
  durationSec: number;
  /** Null: not four digits. */
  year: number | null;
  isStem: boolean;
};

export type Album = {
  id: string;
  name: string;
  key: string;
  /** Name and artist, as the words of a song. */
  words: string;
  artistId: string;
  artist: string;
  /** In order. */
  songs: readonly Song[];
  /** Key of its picture; null: none. */
  cover: string | null;
  /** Of its oldest song, and of its newest. */
  createdAt: number;
  addedAt: number;
  durationSec: number;
  year: number | null;
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  releaseDate: string | null;
  label: string | null;
  type: "Album" | "EP" | "Single" | "Compilation" | null;
  /** Of all of it. Null: its songs are not meant to be heard as one. */
  loudness: Loudness | null;
  /** The album of the library that it is; null: it is made of tags or of a set. */
  playlistId: string | null;
};

export type Artist = {
  id: string;
  name: string;
  key: string;
  /** As the words of a song. */
  words: string;
  albums: readonly Album[];
  cover: string | null;
};

export type Playlist = {
  id: string;
  name: string;
  comment: string | null;
  songs: readonly Song[];
  cover: string | null;
  createdAt: number;
  changedAt: number;
  durationSec: number;
};

/** What a player sees of a library, by name. Every list has a total order: an order that is not loses songs between two pages. */
export type Outline = {
  name: string;
  songs: readonly Song[];
  albums: readonly Album[];
  artists: readonly Artist[];
  playlists: readonly Playlist[];
  songOf: ReadonlyMap<string, Song>;
  albumOf: ReadonlyMap<string, Album>;
  artistOf: ReadonlyMap<string, Artist>;
  playlistOf: ReadonlyMap<string, Playlist>;
  /** The genres of songs, by the ids of their tracks. */
  genres: ReadonlyMap<string, readonly string[]>;
  /** When it was made. */
  madeAt: number;
};
