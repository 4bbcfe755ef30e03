import { languageCode } from "../../../kernel/languages.ts";
import { fold } from "../../../kernel/text.ts";
import { lyricsOf } from "../../library/lyrics/service.ts";
import type { Node } from "./answer.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { textOf, titleOf } from "./outline/group.ts";
import type { SongRow } from "./song-queries.ts";
import { getSong } from "./songs.ts";

/** What the protocol calls a language that is not known. */
const UNKNOWN = "xxx";

/** The methods for the words of songs. */
export const WORDS = {
  getLyrics: (call) => ({ lyrics: plainLyrics(call) }),
  getLyricsBySongId: (call) => {
    const row = getSong(call, call.parameters.get("id"));
    return { lyricsList: { structuredLyrics: structured(call, row) } };
  },
} satisfies Record<string, Method>;

/** Returns the words of the song that a title and an artist name; without such a song, or words, none. */
function plainLyrics(call: Call): Node {
  const { find } = call.parameters;
  const [title, artist] = [find("title"), find("artist")];
  const { songs, artistOf } = call.outline;
  const isIt = (name: string | undefined, key: string) => name === undefined || fold(name.trim()) === key;
  const song =
    title &&
    songs.find((each) => isIt(title, each.key) && isIt(artist, artistOf.get(each.artistId)?.key ?? ""));
  if (!song) return { value: "" };
  const row = getSong(call, song.trackId);
  const words = lyricsOf(call.deps.db, { trackId: row.id, versionId: row.versionId });
  if (!words) return { value: "" };
  return { artist: artistOf.get(song.artistId)?.name, title: titleOf(row), value: words.lyrics };
}

/** Returns the words with their times, as far as these are known, and all of them where some have none. */
function structured(call: Call, row: SongRow): Node[] {
  const words = lyricsOf(call.deps.db, { trackId: row.id, versionId: row.versionId });
  if (!words) return [];
  const about = {
    displayArtist: textOf(row.artist) ?? call.outline.name,
    displayTitle: titleOf(row),
    lang: (row.language && languageCode(row.language)) ?? UNKNOWN,
  };
  const timed = words.lines.flatMap(({ text, atMs }) =>
    atMs === null ? [] : [{ start: atMs, value: text }],
  );
  const isWhole = words.lines.every(({ text, atMs }) => atMs !== null || text === "");
  const synced = { ...about, synced: true, line: timed };
  const plain = { ...about, synced: false, line: words.lines.map(({ text }) => ({ value: text })) };
  if (!words.isTimed) return [plain];
  return isWhole ? [synced] : [synced, plain];
}
