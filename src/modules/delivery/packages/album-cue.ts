import type { Release, Song } from "./known.ts";
import { songTitle } from "./song.ts";

/** A track of a CD, with its file below the folder of the cue sheet. */
export type CueTrack = { path: string; song: Song };

/** A CD has room for so many. */
const MAX_CD_TRACKS = 99;
const FRAMES_PER_SEC = 75;
/** A line of a cue sheet has no way to write a quotation mark. */
const quoted = (text: string) => `"${text.replace(/"/g, "'").replace(/\p{Cc}+/gu, " ")}"`;

/**
 * Returns the cue sheet of a CD: one file per track, with the silence before each, and the codes that are written into its
 * subcode. Where a standard code has another form, it is left out.
 */
export function albumCue(release: Release, tracks: readonly CueTrack[], gapSec: number): string {
  const lines = [
    ...(release.upc && /^\d{12,13}$/.test(release.upc) ? [`CATALOG ${release.upc.padStart(13, "0")}`] : []),
    ...(release.artist ? [`PERFORMER ${quoted(release.artist)}`] : []),
    `TITLE ${quoted(release.title)}`,
  ];
  for (const [at, { path, song }] of tracks.slice(0, MAX_CD_TRACKS).entries()) {
    const isrc = song.isrc?.replace(/[\s-]/g, "").toUpperCase();
    lines.push(
      `FILE ${quoted(path)} ${fileTypeOf(song)}`,
      `  TRACK ${String(at + 1).padStart(2, "0")} AUDIO`,
      `    TITLE ${quoted(songTitle(song))}`,
      ...(song.artist ? [`    PERFORMER ${quoted(song.artist)}`] : []),
      ...(isrc && /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc) ? [`    ISRC ${isrc}`] : []),
      // The two seconds before the first track of a CD are always there.
      ...(at > 0 && gapSec > 0 ? [`    PREGAP ${timeOf(gapSec)}`] : []),
      "    INDEX 01 00:00:00",
    );
  }
  return `${lines.join("\r\n")}\r\n`;
}

function fileTypeOf({ container }: Song): "AIFF" | "MP3" | "WAVE" {
  if (/^aif/.test(container)) return "AIFF";
  return container === "mp3" || container === "mpeg" ? "MP3" : "WAVE";
}

/** Minutes, seconds and frames of a 75th second. */
function timeOf(sec: number): string {
  const frames = Math.round(sec * FRAMES_PER_SEC);
  const parts = [
    Math.floor(frames / FRAMES_PER_SEC / 60),
    Math.floor(frames / FRAMES_PER_SEC) % 60,
    frames % FRAMES_PER_SEC,
  ];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
