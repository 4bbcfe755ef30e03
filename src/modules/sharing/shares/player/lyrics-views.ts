import type { Db } from "../../../../../db/client.ts";
import type { PlayerLyrics } from "../../../../pages/player/model.ts";
import { lyricsOf, type TrackLyrics } from "../../../library/lyrics/service.ts";
import type { SharedTrackRow } from "../page-queries.ts";
import { htmlBytes } from "./page-budget.ts";

/** Bytes of a track's words, and of each of their lines, without the texts. */
const LYRICS_BYTES = 200;
const LINE_BYTES = 60;
/** Stands where a line only has a time: the singing pauses. */
const PAUSE = "♪";

/** Returns the words of tracks, each read once; undefined where the page does not show them. */
export function lyricsReader(db: Db, { showLyrics }: { showLyrics: boolean }) {
  const read = new Map<string, TrackLyrics | undefined>();
  return ({ id, versionId }: SharedTrackRow): TrackLyrics | undefined => {
    if (showLyrics && !read.has(id)) read.set(id, lyricsOf(db, { trackId: id, versionId }));
    return read.get(id);
  };
}

/** Returns the most bytes that words take in a page. */
export const lyricsBytes = (lyrics: TrackLyrics | undefined): number =>
  lyrics ? LYRICS_BYTES + htmlBytes(lyrics.lyrics) + LINE_BYTES * lyrics.lines.length : 0;

/** Returns words in stanzas, as pages show them. */
export function toPlayerLyrics({ lines }: TrackLyrics): PlayerLyrics {
  const stanzas: PlayerLyrics["stanzas"] = [];
  let isOpen = false;
  for (const { text, atMs } of lines) {
    const isBlank = text.trim() === "";
    const atSec = atMs === null ? undefined : atMs / 1000;
    if (!isOpen || isBlank) stanzas.push([]);
    isOpen = !isBlank;
    if (!isBlank || atSec !== undefined) stanzas.at(-1)?.push({ text: isBlank ? PAUSE : text, atSec });
  }
  return { stanzas: stanzas.filter((each) => each.length > 0) };
}
