import { MAX_LYRIC_LINES, MAX_LYRIC_MS, MAX_LYRICS } from "../../kernel/limits.ts";
import type { TimedLine } from "./lines.ts";

/** What a text says of when its lines are sung. */
export type ReadLrc = {
  lines: TimedLine[];
  /** Times of single words, which were left out. */
  wordTimes: number;
};

/** `[01:02.34]`, and what other programs write: `[1:02]`, `[01:02:34]`, `[01:02.345]`. */
const STAMP = /^\s*\[(\d{1,4}):([0-5]?\d)(?:[.:](\d{1,3}))?\]/;
/** `<01:02.34>` before or after a word. */
const WORD_STAMP = /<(\d{1,4}):([0-5]?\d)(?:[.:](\d{1,3}))?>/g;
/** `[ar:Ines Lind]`; `[Chorus]` and `[Verse 1: Ines]` are words. */
const HEADER =
  /^\s*\[(?:(offset):\s*([+-]?\d{1,9})\s*|(?:ar|ti|al|au|by|la|le|length|lr|re|tool|ve|#):.*)\]\s*$/i;

/**
 * Reads a text in the format LRC: lines in the order that they are sung, `offset` applied, a line with several stamps once for
 * each. Lines without a stamp keep their places behind the line that they follow.
 *
 * @returns Undefined when no line has a time, when there are too many lines, or times no song reaches.
 */
export function readLrc(text: string): ReadLrc | undefined {
  const raw = splitLines(text);
  const head = raw.map((line) => HEADER.exec(line));
  const body = raw.filter((_, index) => !head[index]).map(readLine);
  const repeats = body.map(({ times }) => Math.max(1, times.length));
  const count = repeats.reduce((sum, each) => sum + each, 0);
  const characters = body.reduce((sum, line, index) => sum + line.text.length * (repeats[index] ?? 1), 0);
  const isAny = body.some(({ times }) => times.length > 0);
  if (!isAny || count > MAX_LYRIC_LINES || characters > MAX_LYRICS) return undefined;
  // A positive offset shows lines earlier.
  const offsetMs = Number(head.findLast((found) => found?.[1])?.[2] ?? 0);
  const lines = inOrder(body).map(({ text, atMs }) => ({
    text,
    atMs: atMs === null ? null : Math.max(0, atMs - offsetMs),
  }));
  if (lines.some(({ atMs }) => atMs !== null && atMs > MAX_LYRIC_MS)) return undefined;
  return {
    lines: withoutSpareBlanks(lines),
    wordTimes: body.reduce((sum, line) => sum + line.wordTimes, 0),
  };
}

type ReadLine = { text: string; times: number[]; wordTimes: number };

function readLine(line: string): ReadLine {
  const { stamps, rest } = stampsOf(line);
  const { text, stamps: words } = withoutWordStamps(rest);
  return { text, times: stamps.length > 0 ? stamps : words.slice(0, 1), wordTimes: words.length };
}

/** Returns lines in the order that they are sung. Those without a time stay behind the line that they follow. */
function inOrder(lines: readonly ReadLine[]): TimedLine[] {
  const groups: TimedLine[][] = [];
  for (const { text, times } of lines) {
    const [first, ...more] = times;
    if (first === undefined && groups.length > 0) groups.at(-1)?.push({ text, atMs: null });
    else groups.push([{ text, atMs: first ?? null }]);
    // Before the group that lines without a time join.
    groups.splice(-1, 0, ...more.map((atMs) => [{ text, atMs }]));
  }
  const timeOf = ([first]: TimedLine[]) => first?.atMs ?? -1;
  return groups.toSorted((one, other) => timeOf(one) - timeOf(other)).flat();
}

/** True for a text of which most lines have a stamp: words with a few times in brackets are words. */
export function looksLikeLrc(text: string): boolean {
  const lines = splitLines(text).filter((line) => line.trim() !== "" && !HEADER.test(line));
  const stamped = lines.filter((line) => STAMP.test(line)).length;
  return stamped > 0 && 2 * stamped >= lines.length;
}

/** Returns the words of a text that has no times, without the head of an LRC file. */
export const withoutHead = (text: string): string =>
  splitLines(text)
    .filter((line) => !HEADER.test(line))
    .join("\n");

/** What the head of an LRC file says of its song. */
export type LrcHead = { title: string | null; artist: string | null; album: string | null };

/** Returns lines as an LRC file, which every player of words reads: UTF-8, hundredths of a second. */
export function writeLrc(lines: readonly TimedLine[], { title, artist, album }: LrcHead): string {
  const head = Object.entries({ ti: title, ar: artist, al: album }).flatMap(([tag, value]) =>
    value?.trim() ? [`[${tag}:${value.replaceAll(/[\p{Cc}\]]+/gu, " ").trim()}]`] : [],
  );
  const body = lines.map(({ text, atMs }) => (atMs === null ? text : `[${stampOf(atMs)}]${text}`));
  return `${[...head, ...body].join("\n")}\n`;
}

/** `03:07.50` */
function stampOf(atMs: number): string {
  const hundredths = Math.round(atMs / 10);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(hundredths / 6000))}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

const splitLines = (text: string) => text.replace(/^\ufeff/, "").split(/\r\n?|\n/);

function stampsOf(line: string): { stamps: number[]; rest: string } {
  const stamps: number[] = [];
  let rest = line;
  for (let found = STAMP.exec(rest); found; found = STAMP.exec(rest)) {
    stamps.push(msOf(found));
    rest = rest.slice(found[0].length);
  }
  return { stamps, rest };
}

function withoutWordStamps(text: string): { text: string; stamps: number[] } {
  const stamps = [...text.matchAll(WORD_STAMP)].map(msOf);
  if (stamps.length === 0) return { text: text.trim(), stamps };
  return { text: text.replaceAll(WORD_STAMP, "").replaceAll(/ {2,}/g, " ").trim(), stamps };
}

/** `.5` is half a second, `.50` too, and `.500`. */
function msOf([, minutes, seconds, fraction = ""]: RegExpMatchArray): number {
  return (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, "0"));
}

/** Leaves one blank line between stanzas, and none at the ends. One with a time says that the singing pauses, and stays. */
function withoutSpareBlanks(lines: readonly TimedLine[]): TimedLine[] {
  const isSpare = ({ text, atMs }: TimedLine) => text === "" && atMs === null;
  const kept = lines.filter((line, index) => !(isSpare(line) && lines[index - 1]?.text === ""));
  const [first, last] = [
    kept.findIndex((line) => !isSpare(line)),
    kept.findLastIndex((line) => !isSpare(line)),
  ];
  return first < 0 ? [] : kept.slice(first, last + 1);
}
