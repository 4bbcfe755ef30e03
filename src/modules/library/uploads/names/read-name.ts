import { type Item, itemsOf, withCount } from "./tokens.ts";

/** What a name says of a file. */
export type ReadName = {
  /** The song as it is written; empty when the name says nothing but which version it is. */
  song: string;
  /** Shorter songs that the name may also mean: `Night Bus mix` may be a mix of `Night Bus`. */
  perhaps: { song: string; label: string }[];
  /** Which version it is, such as `v11 final`; empty when the name does not say. */
  label: string;
  /** True when the label cannot be part of a title: it counts, is a date, or stands in brackets. */
  isPlain: boolean;
};

const ENDING =
  /\.(wav|wave|w64|rf64|bwf|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i;

/** Returns the stem of an audio file's name. A name without an ending is its own stem. */
export const stemOf = (name: string): string => name.normalize("NFC").replace(ENDING, "");

/**
 * Parts a file's name into the song and the marks that say which version of it the file holds. Words in brackets that are more
 * than marks belong to the song: an instrumental is another recording.
 */
export function readName(name: string): ReadName {
  const stem = stemOf(name);
  const items = countWords(itemsOf(stem));
  const isCut = cutsOf(items);
  const marks = items.filter((_, index) => isCut[index]);
  const label = labelOf(marks);
  const song = songOf(stem, marks);
  const perhaps = looserCuts(items, isCut).map((looser) => ({
    song: songOf(stem, looser),
    label: labelOf(looser),
  }));
  const isSurely = ({ bracket, count }: Item) => bracket > 0 || count.length > 0;
  return { song, label, perhaps: perhaps.filter((each) => each.song !== ""), isPlain: marks.some(isSurely) };
}

/** Returns what the marks of a label count: `mix 3` is `mix` with [3]. */
export function countsOf(label: string): ReadonlyMap<string, readonly number[]> {
  const marks = countWords(itemsOf(label)).filter(({ count, kind }) => kind !== "" && count.length > 0);
  return new Map(marks.map(({ kind, count }) => [kind, count]));
}

/** Gives words the numbers that stand behind them. */
function countWords(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const [index, item] of items.entries()) {
    const last = joined.at(-1);
    const mayCount =
      last &&
      (last.says === "state" || last.says === "perhaps") &&
      last.kind !== "" &&
      last.count.length === 0;
    // `24 bit` counts nothing.
    const isUnit =
      item.says === "number" && items[index + 1]?.says === "beside" && items[index + 1]?.text === "";
    if (isUnit) joined.push({ ...item, says: "state", text: "", count: [] });
    else if (item.says === "number" && mayCount && last.bracket === item.bracket)
      joined.splice(-1, 1, { ...withCount(last, item), to: item.to });
    else joined.push(item);
  }
  return joined;
}

/** Says of each item whether it is a mark and no part of the song. */
function cutsOf(items: readonly Item[]): boolean[] {
  const isCut = items.map((item) => item.kind === "date" || isMarkBracket(items, item.bracket));
  for (let end = items.length; end > 0; ) {
    const bracket = items[end - 1]?.bracket ?? 0;
    const from = bracket > 0 ? items.findIndex((item) => item.bracket === bracket) : marksFrom(items, end);
    if (from === end) break;
    if (bracket === 0) isCut.fill(true, from, end);
    end = from;
  }
  return isCut;
}

/** Returns where the marks begin that end before `end`: with one that says by itself that it is one. */
function marksFrom(items: readonly Item[], end: number): number {
  let from = end;
  while (isMarkWord(items[from - 1])) from--;
  while (from < end && items[from]?.says !== "state") from++;
  return from;
}

const isMarkWord = (item: Item | undefined) =>
  item !== undefined && item.bracket === 0 && item.says !== "song" && item.says !== "number";

/** True for a bracket with nothing but marks in it. */
function isMarkBracket(items: readonly Item[], bracket: number): boolean {
  if (bracket === 0) return false;
  const inside = items.filter((item) => item.bracket === bracket);
  const isKnown = inside.every(({ says }) => says !== "song" && says !== "number");
  return isKnown && inside.some(({ says }) => says === "state" || says === "perhaps");
}

/** Returns the marks of readings that leave less of the name to the song. */
function looserCuts(items: readonly Item[], isCut: readonly boolean[]): Item[][] {
  const cuts: Item[][] = [];
  const end = items.findLastIndex((item, index) => !isCut[index] && item.bracket === 0) + 1;
  let from = end;
  while (isMarkWord(items[from - 1])) from--;
  const perhaps = items.findIndex((item, index) => index >= from && index < end && item.says === "perhaps");
  if (perhaps > 0) cuts.push(items.filter((_, index) => isCut[index] || (index >= perhaps && index < end)));
  const inside = (item: Item, index: number) => index > 0 && item.kind === "v" && item.count.length > 0;
  if (items.some((item, index) => !isCut[index] && inside(item, index)))
    cuts.push(items.filter((item, index) => isCut[index] || inside(item, index)));
  return cuts;
}

const labelOf = (marks: readonly Item[]) =>
  marks
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(" ");

/** Returns the text without its marks. */
function songOf(stem: string, marks: readonly Item[]): string {
  let [song, at] = ["", 0];
  for (const { from, to } of marks) {
    song += `${stem.slice(at, Math.max(at, from))} `;
    at = Math.max(at, to);
  }
  song += stem.slice(at);
  return withSpaces(song, stem)
    .replace(/[([{（【［「][\s\-_.,+]*[)\]}）】］」]/gu, " ")
    .replace(/\s+([-–—_.,+]\s*)+$/u, "")
    .replace(/^[\s\-–—_.,+]+|[\s\-–—_,+]+$/gu, "")
    .replace(/\s+/g, " ");
}

/** Gives a song its spaces, where the name writes underscores or dots for them. */
function withSpaces(song: string, stem: string): string {
  if (/\s/.test(stem.trim())) return song;
  return song.replace(stem.includes("_") ? /_+/g : /\.(?=\D|$)/g, " ");
}
