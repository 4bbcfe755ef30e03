import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { fileStem, withoutExtension } from "../../../kernel/safe-names.ts";
import { writeLrc } from "../../../media/lyrics/lrc.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { findWords } from "./queries.ts";
import { lyricsOf, timedVersionOf } from "./read.ts";
import type { LyricsFileQuery } from "./shapes.ts";

/** A file with the words of a track. */
export type LyricsFile = { filename: string; mediaType: string; body: string };

/**
 * Returns the words of an account's track as a file: with the times that a version has, or alone. Without words it is empty.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function lyricsFile(
  db: Db,
  ownerId: LibraryId,
  trackId: string,
  { versionId, format }: LyricsFileQuery,
): LyricsFile {
  const track = getOwnedTrack(db, ownerId, trackId);
  const [sung] = lyricsFiles(db, [{ trackId, versionId: timedVersionOf(db, track, versionId) }]);
  const words = findWords(db, trackId);
  const stem = fileStem(words?.title ?? withoutExtension(track.name));
  const body = format === "lrc" ? (sung?.lrc ?? sung?.txt) : sung?.txt;
  return { filename: `${stem}.${format}`, mediaType: "text/plain;charset=utf-8", body: body ?? "" };
}

/** The words of a track for a delivery: as text files, and as a file's tags have them. */
export type DeliveredLyrics = {
  trackId: string;
  /** The words alone, with `\n` between lines. */
  txt: string;
  /** With times; undefined where no line has one. */
  lrc: string | undefined;
  /** Those lines that have times, in order. */
  timedLines: readonly { atSec: number; text: string }[] | undefined;
};

/** Returns the words of those tracks that have some, in the order given. The caller must be allowed to see the tracks. */
export function lyricsFiles(
  db: Db,
  wanted: readonly { trackId: string; versionId: string }[],
): DeliveredLyrics[] {
  return wanted.flatMap((one) => {
    const found = lyricsOf(db, one);
    if (!found) return [];
    const { title = null, artist = null, album = null } = findWords(db, one.trackId) ?? {};
    const timed = found.lines.flatMap(({ text, atMs }) =>
      atMs === null ? [] : [{ atSec: atMs / 1000, text }],
    );
    return [
      {
        trackId: one.trackId,
        txt: `${found.lines
          .map(({ text }) => text)
          .join("\n")
          .trim()}\n`,
        lrc: found.isTimed ? writeLrc(found.lines, { title, artist, album }) : undefined,
        timedLines: found.isTimed ? timed : undefined,
      },
    ];
  });
}
