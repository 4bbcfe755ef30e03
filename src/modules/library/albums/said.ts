import { toGtin } from "../../../kernel/identifiers.ts";
import { fold } from "../../../kernel/text.ts";
import { MAX_PLAYLIST_NAME } from "../playlists/shapes.ts";
import { withoutDisc } from "./read-place.ts";
import type { Song } from "./songs.ts";

/** What the songs of an album say about it. */
export type Said = {
  name: string;
  artist: string | null;
  albumType: "album" | "compilation";
  label: string | null;
  catalogueNumber: string | null;
  releaseDate: string | null;
  upc: string | null;
};

const VARIOUS = "Various Artists";
const MEANS_VARIOUS: ReadonlySet<string> = new Set([
  ...["various artists", "various", "va", "v.a.", "v/a", "diverse", "diverse interpreten"],
  ...["varios artistas", "artistes divers", "artisti vari", "compilation"],
]);
/** Who else plays: `Mara feat. Jonas`, `Mara (with Jonas)`. */
const GUESTS = /\s*[([]?\b(?:feat|ft|featuring|with|vs)\b\.?\s.*$/i;
/** What may stand in brackets behind the name of a folder: `[FLAC]`, `(2024)`, `{CD}`. */
const FORMATS = "flac mp3 wav aiff aif alac aac web cd vinyl lp 320 v0".split(" ");
const RATE = /^(?:\d{2,3}(?:\.\d)? ?k(?:hz)?|\d{2}[ -]?bit|[12]\d{3})\b/i;
const LAST_BRACKET = /\s*[[({]([^\])}]*)[\])}]\s*$/;

/** Returns what songs say about the album that they are. `folder` is the name of their folder. */
export function saidBy(songs: readonly Song[], folder: string): Said {
  const year = commonest(songs.map(({ year }) => /^[12]\d{3}(?!\d)/.exec(year ?? "")?.[0] ?? null));
  const { artist, isVarious } = artistOf(songs);
  const tagged = commonest(songs.map(({ album }) => album && withoutDisc(album.trim())));
  const name = tagged ?? nameOf(folder, artist);
  const upc = commonest(songs.map(({ barcode }) => barcode));
  return {
    name: name.slice(0, MAX_PLAYLIST_NAME).toWellFormed().trim() || "Untitled album",
    artist,
    albumType: isVarious ? "compilation" : "album",
    label: commonest(songs.map(({ recordLabel }) => recordLabel)),
    catalogueNumber: commonest(songs.map(({ catalogueNumber }) => catalogueNumber))?.slice(0, 100) ?? null,
    releaseDate: year,
    upc: upc !== null && /^\d{12,13}$/.test(upc) && toGtin(upc) !== undefined ? upc : null,
  };
}

/** Whose album it is: of the album artist that the files name, or of the one that all songs are by. */
function artistOf(songs: readonly Song[]): { artist: string | null; isVarious: boolean } {
  const named = commonest(songs.map(({ albumArtist }) => albumArtist));
  if (named !== null)
    return MEANS_VARIOUS.has(fold(named))
      ? { artist: VARIOUS, isVarious: true }
      : { artist: named, isVarious: false };
  const artists = new Map<string, string>();
  for (const { artist } of songs) {
    const main = artist?.replace(GUESTS, "").trim();
    if (main) artists.set(fold(main), artists.get(fold(main)) ?? main);
  }
  const isVarious = artists.size > 1 || songs.some(({ isCompilation }) => isCompilation === 1);
  const [only = null] = artists.values();
  return { artist: isVarious ? VARIOUS : only, isVarious };
}

/** Returns the text that most songs have; null: none has one. */
function commonest(texts: readonly (string | null)[]): string | null {
  const counts = new Map<string, { text: string; count: number }>();
  for (const text of texts) {
    if (text === null || text.trim() === "") continue;
    const key = fold(text.trim());
    counts.set(key, { text: counts.get(key)?.text ?? text.trim(), count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.text ?? null;
}

/** True for words about a format or a year, which are no part of a name. */
function isNote(words: string): boolean {
  const [first = ""] = words
    .trim()
    .toLowerCase()
    .split(/[\s,/-]+/);
  return FORMATS.includes(first) || RATE.test(words.trim());
}

/** Returns the album that a folder names: `Mara Lind - Wanderer (2024) [FLAC]` of Mara Lind is `Wanderer`. */
function nameOf(folder: string, artist: string | null): string {
  let name = folder.replaceAll(/_+/g, " ").trim();
  for (let note = LAST_BRACKET.exec(name); note && isNote(note[1] ?? ""); note = LAST_BRACKET.exec(name))
    name = name.slice(0, note.index);
  const [, before = "", behind] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(name) ?? [];
  const isSaid = /^[12]\d{3}$/.test(before) || (artist !== null && fold(before) === fold(artist));
  return behind !== undefined && isSaid ? behind : name;
}
