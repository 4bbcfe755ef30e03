import type { Db } from "../../../../../db/client.ts";
import { lyricsOf, type TrackLyrics } from "../../../library/lyrics/service.ts";
import type { SharedTrackRow } from "../page-queries.ts";
import { htmlBytes } from "./page-budget.ts";

/** Bytes of a track's words, and of each of their lines, without the texts. */
const LYRICS_BYTES = 200;
const LINE_BYTES = 60;

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
