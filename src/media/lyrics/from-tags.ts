import type { IAudioMetadata, ITag } from "music-metadata";
import { MAX_LYRIC_LINES, MAX_LYRIC_MS, MAX_LYRICS } from "../../kernel/limits.ts";
import { prose } from "../tags/clean-tags.ts";
import { cleanLine, isTimed, type TimedLine, wordsOf } from "./lines.ts";
import { looksLikeLrc, readLrc } from "./lrc.ts";

/** What a file says of its words. */
export type FileLyrics = { lyrics?: string; timedLyrics?: TimedLine[] };

/** Names of fields that have words or an LRC text: of Vorbis comments, MP4, APE, ASF, and of ID3 what has no frame of its own. */
const FIELD =
  /^(?:(?:TXXX|----:com\.apple\.iTunes):)?(?:lyrics|unsynced ?lyrics|synced ?lyrics|©lyr|wm\/lyrics)$/i;
/** Frames of ID3v2 that have words, without and with times. */
const PLAIN_FRAME = /^(?:USLT|ULT)$/;
const TIMED_FRAME = /^(?:SYLT|SLT)$/;
/** The times of a frame are milliseconds, and its texts are what is sung. */
const IN_MS = 2;
const IS_SUNG: ReadonlySet<number> = new Set([0, 1, 2]);

/**
 * Returns the words of a song and their times, as far as its file has them: frames for both, words alone, or a text in the format
 * LRC wherever words may be. Words that stand there plainly are preferred to those beside the times: they have their stanzas.
 */
export function lyricsOfTags(native: IAudioMetadata["native"]): FileLyrics {
  const tags = Object.values(native).flat();
  const texts = tags.flatMap(textOf);
  const timed = [...tags.flatMap(frameLines), ...texts.flatMap(lrcLines)].filter(isTimed);
  const [lines] = timed.toSorted((one, other) => other.length - one.length);
  const plain = prose(
    texts.find((text) => text.trim() !== "" && !looksLikeLrc(text)),
    MAX_LYRICS,
  );
  const cleaned = lines && cleanLines(lines);
  const words = plain ?? (cleaned && prose(wordsOf(cleaned), MAX_LYRICS));
  return { ...(words && { lyrics: words }), ...(cleaned && words && { timedLyrics: cleaned }) };
}

function textOf({ id, value }: ITag): string[] {
  if (PLAIN_FRAME.test(id)) return stringIn(value, "text");
  return FIELD.test(id) && typeof value === "string" ? [value] : [];
}

function lrcLines(text: string): TimedLine[][] {
  const read = looksLikeLrc(text) ? readLrc(text) : undefined;
  return read ? [read.lines] : [];
}

/** Reads a frame `SYLT`: its texts are lines, or syllables of which those that begin a line begin with a line break. */
function frameLines({ id, value }: ITag): TimedLine[][] {
  if (!TIMED_FRAME.test(id) || typeof value !== "object" || value === null) return [];
  const { timeStampFormat, contentType = 1, syncText } = value as Record<string, unknown>;
  if (timeStampFormat !== IN_MS || !IS_SUNG.has(Number(contentType)) || !Array.isArray(syncText)) return [];
  const parts = syncText.filter(isPart);
  const isInSyllables = parts.slice(1).some(({ text }) => /^[\r\n]/.test(text));
  const lines: TimedLine[] = [];
  for (const { text, timestamp } of parts) {
    const begins = !isInSyllables || lines.length === 0 || /^[\r\n]/.test(text);
    const last = lines.at(-1);
    if (begins || !last) lines.push({ text: text.replace(/^[\r\n]+/, ""), atMs: timestamp });
    else last.text += text;
    if (lines.length > MAX_LYRIC_LINES) return [];
  }
  return [lines.toSorted((one, other) => (one.atMs ?? 0) - (other.atMs ?? 0))];
}

type Part = { text: string; timestamp: number };

const isPart = (value: unknown): value is Part => {
  const { text, timestamp } = (value ?? {}) as Partial<Part>;
  return typeof text === "string" && Number.isInteger(timestamp) && Number(timestamp) <= MAX_LYRIC_MS;
};

function stringIn(value: unknown, name: string): string[] {
  const text = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : value;
  return typeof text === "string" ? [text] : [];
}

/** Returns lines as they can be stored: each on one line, not longer than words may be. */
function cleanLines(lines: readonly TimedLine[]): TimedLine[] | undefined {
  const cleaned = lines.map(({ text, atMs }) => ({ text: cleanLine(text), atMs }));
  return wordsOf(cleaned).length > MAX_LYRICS || cleaned.every(({ text }) => text === "")
    ? undefined
    : cleaned;
}
