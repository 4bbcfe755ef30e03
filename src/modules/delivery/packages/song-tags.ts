import type { Counted, Tags } from "../../../media/retag/tags.ts";
import { kindName } from "./kind-names.ts";
import type { Release, Song, Writer } from "./known.ts";
import type { Profile } from "./shapes.ts";
import { songTitle } from "./song.ts";

/** Roles of those who wrote the music, and of those who wrote the words. Songwriters did both. */
const MUSIC = /compos|arrang|songwriter|^(music|writer)$/i;
const WORDS = /lyric|words|^author$|songwriter|^writer$/i;

/** Where a song is in its package. */
export type Placed = { place: number; count: number; release: Release; profile: Profile };

/** Returns what a copy of a song says of itself, without its cover. */
export function tagsOf(song: Song, placed: Placed): Tags {
  const { release, profile } = placed;
  const { rights, writers } = song;
  const text = (value: string | null) => value ?? undefined;
  return {
    title: songTitle(song),
    artists: listed(song.artist),
    album: release.isAlbum ? release.title : text(song.album),
    albumArtists: listed(release.isAlbum ? (release.artist ?? song.albumArtist) : song.albumArtist),
    ...numbersOf(song, placed),
    date: text(rights.releaseDate ?? release.date ?? song.albumYear ?? song.year),
    genres: listed(song.genre),
    label: text(song.label ?? release.label),
    barcode: text(rights.upc ?? (release.isAlbum ? release.upc : null)),
    isrc: text(song.isrc),
    iswc: text(rights.iswc),
    ...creditsOf(writers, song.composer),
    cLine: text(rights.cLine),
    pLine: text(rights.pLine),
    bpm: song.bpm ?? undefined,
    key: text(song.key),
    language: text(song.language),
    lyrics: text(song.lyrics),
    timedLyrics: song.timedLyrics ?? undefined,
    explicit: rights.explicit ?? undefined,
    kind: song.set ? kindName(song.set) : undefined,
    aiUse: rights.aiUse.map(({ part, extent, tool }) => `${part}: ${extent}${tool ? ` (${tool})` : ""}`),
    loudness: {
      integratedLufs: song.integratedLufs,
      rangeLu: song.rangeLu,
      truePeakDbtp: song.truePeakDbtp,
      momentaryMaxLufs: song.momentaryMaxLufs,
      shortTermMaxLufs: song.shortTermMaxLufs,
    },
    ...(profile === "sync" && { project: release.title }),
  };
}

const listed = (text: string | null): string[] => (text === null ? [] : [text]);

function numbersOf(song: Song, { place, count, release }: Placed): Pick<Tags, "place" | "disc"> {
  const own = counted(song.trackNumber, song.totalTracks);
  return {
    place: release.isAlbum ? { number: place, of: count } : own,
    disc: counted(song.discNumber, song.totalDiscs),
  };
}

function counted(number: string | null, of: string | null): Counted | undefined {
  const digits = (text: string | null) =>
    text !== null && /^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined;
  const first = digits(number);
  return first === undefined ? undefined : { number: first, of: digits(of) };
}

function creditsOf(
  writers: readonly Writer[] | null,
  composer: string | null,
): Pick<Tags, "composers" | "lyricists" | "publishers"> {
  if (!writers || writers.length === 0) return { composers: listed(composer) };
  const names = (isIn: (writer: Writer) => boolean) => [
    ...new Set(writers.filter(isIn).map(({ name }) => name)),
  ];
  return {
    composers: names(({ role }) => MUSIC.test(role.trim())),
    lyricists: names(({ role }) => WORDS.test(role.trim())),
    publishers: [...new Set(writers.flatMap(({ publisher }) => publisher ?? []))],
  };
}
