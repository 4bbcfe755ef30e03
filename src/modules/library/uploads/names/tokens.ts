import { fold } from "../../../../kernel/text.ts";
import { countsVersions, kindOf, tailOf, wordsIn } from "./lexicon.ts";

/**
 * A part of a name. `says` is how surely it is no part of the song: `state` by itself, `perhaps` in some names, `beside` only
 * behind a `state`. A `number` counts what stands before it.
 */
export type Item = {
  from: number;
  to: number;
  says: "song" | "state" | "perhaps" | "beside" | "number";
  /** As a label writes it; empty for what no label needs. */
  text: string;
  /** What is counted, and how far: `mix 3b` is `mix` and [3, 2]. */
  kind: string;
  count: readonly number[];
  /** The bracket that it stands in, counted from 1; 0: none. */
  bracket: number;
};

const DATE = /(?<![\p{L}\p{N}])((?:19|20)\d\d)([-_. ]?)([01]\d)\2([0-3]\d)(?![\p{L}\p{N}]|\.\d)/gu;
const DATE_BACKWARDS = /(?<!\d)([0-3]?\d)([-_.])([01]?\d)\2((?:20)?\d\d)(?!\d)/g;
/** The time of day behind a date: ` 14-30`, `_143005`, ` 14.30.05`. */
const TIME = /^[ _T-]+([01]\d|2[0-3])[-.:h_]?([0-5]\d)(?:[-.:_]?[0-5]\d)?(?![\p{L}\p{N}])/u;
/** What file managers and render dialogs add. */
const COPY = /(?<=[\p{L}\p{N})\]])(?:\s*\((\d{1,3})\)|-(\d{3})|_(0\d\d))$/u;
const WORD = /[\p{L}\p{M}\p{N}'’]+(?:(?<=\p{N})\.\p{N}+\p{L}?(?![\p{L}\p{N}]))*/gu;
const TECHNICAL = /^\d{2,3}(\.\d)?(bit|k|khz|hz|kbps|b)$/;
const COUNTED = /^(\D+?)[.]?(\d{1,3}(?:\.\d{1,3})*)([a-z])?$/;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3})*)([a-z])?$/;

const NOTHING = { text: "", kind: "", count: [], bracket: 0 } as const;

/** Takes a name apart, without its ending and in composed Unicode. */
export function itemsOf(name: string): Item[] {
  const fixed = [...copyIn(name), ...datesIn(name)];
  const words = [...name.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isTaken = fixed.some(({ from, to }) => index < to && index + word.length > from);
    return isTaken ? [] : wordItems(word, index);
  });
  const bracketAt = bracketsOf(name);
  const items = [...fixed, ...words].sort((a, b) => a.from - b.from);
  return items.map((item) => ({ ...item, bracket: bracketAt[item.to - 1] ?? 0 }));
}

function copyIn(name: string): Item[] {
  const found = COPY.exec(name);
  if (!found) return [];
  const digits = found[1] ?? found[2] ?? found[3] ?? "";
  const text = found[1] === undefined ? digits : `(${digits})`;
  const at = { from: found.index, to: name.length };
  // Render dialogs count from 001, and `Boeing-747` is a name.
  const says = found[2] === undefined || digits.startsWith("0") ? "state" : "perhaps";
  return [{ ...NOTHING, ...at, says, text, kind: "copy", count: [Number(digits)] }];
}

function datesIn(name: string): Item[] {
  const dates: Item[] = [];
  const add = (from: number, length: number, [year, month, day]: readonly [number, number, number]) => {
    const to = from + length;
    if (month < 1 || month > 12 || day < 1 || day > 31) return;
    if (dates.some((other) => from < other.to && to > other.from)) return;
    const [, hour, minute] = TIME.exec(name.slice(to)) ?? [];
    const time = hour === undefined ? "" : ` ${hour}:${minute}`;
    const end = to + (TIME.exec(name.slice(to))?.[0].length ?? 0);
    const text = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-") + time;
    const count = [year, month, day, Number(hour ?? 0), Number(minute ?? 0)];
    dates.push({ ...NOTHING, from, to: end, says: "state", text, kind: "date", count });
  };
  for (const { 0: all, index, 1: year, 3: month, 4: day } of name.matchAll(DATE))
    add(index, all.length, [Number(year), Number(month), Number(day)]);
  for (const { 0: all, index, 1: day, 3: month, 4: year } of name.matchAll(DATE_BACKWARDS))
    add(index, all.length, [(Number(year) % 2000) + 2000, Number(month), Number(day)]);
  return dates;
}

/** Returns the items of one word: more than one for `finalv2`, and for a text without spaces that ends in a state. */
function wordItems(word: string, from: number): Item[] {
  const folded = fold(word).replace(/['’]/g, "");
  const to = from + word.length;
  const [, letters = folded, digits, letter] = COUNTED.exec(folded) ?? [];
  const known = kindOf(folded)
    ? [folded]
    : digits !== undefined || letters.length > 5
      ? wordsIn(letters)
      : undefined;
  if (known) {
    const last = known.length - 1;
    return known.map((each, index) =>
      stateItem(
        { from, to },
        known.length > 1 ? each : lettersOf(word),
        each,
        index === last ? [digits, letter] : [],
      ),
    );
  }
  if (TECHNICAL.test(folded)) return [{ ...NOTHING, from, to, says: "state" }];
  const number = NUMBER.exec(folded);
  if (number) return [{ ...NOTHING, from, to, says: "number", ...counted(number[1], number[2]) }];
  return unspaced(word, from, [digits, letter]) ?? [{ ...NOTHING, from, to, says: "song" }];
}

type Count = readonly [digits?: string | undefined, letter?: string | undefined];

function unspaced(word: string, from: number, count: Count): Item[] | undefined {
  const letters = lettersOf(word);
  const at = tailOf(fold(letters));
  if (at === 0) return undefined;
  const tail = { from: from + at, to: from + word.length };
  const state = stateItem(tail, letters.slice(at), fold(letters.slice(at)), count);
  return [{ ...NOTHING, from, to: from + at, says: "song" }, state];
}

const lettersOf = (word: string) => word.replace(/\.?\d.*$/u, "");

function stateItem(
  at: { from: number; to: number },
  shown: string,
  word: string,
  [digits, letter]: Count,
): Item {
  const kind = kindOf(word);
  const isVersion = countsVersions(word);
  const own = { ...NOTHING, ...at, text: shown.toLowerCase(), kind: isVersion ? "v" : word };
  if (kind === "technical") return { ...own, says: "beside", text: "", kind: "" };
  if (kind === "beside") return { ...own, says: "beside" };
  const says = kind === "counted" && digits === undefined ? "perhaps" : "state";
  return digits === undefined
    ? { ...own, says }
    : { ...withCount({ ...own, says }, counted(digits, letter)) };
}

/** Returns a word with the number that stands behind it. */
export function withCount(item: Item, { text, count }: Pick<Item, "text" | "count">): Item {
  const label = item.kind === "v" ? `v${text}` : `${item.text} ${text}`;
  return { ...item, says: item.says === "perhaps" ? "state" : item.says, text: label, count };
}

function counted(digits = "", letter = ""): Pick<Item, "text" | "count"> {
  const parts = digits.split(".").map(Number);
  const count = letter === "" ? parts : [...parts, letter.charCodeAt(0) - 96];
  return { text: parts.join(".") + letter, count };
}

/** Returns for each character the bracket that it stands in: of nested ones the outer. */
function bracketsOf(name: string): number[] {
  let [depth, count] = [0, 0];
  return Array.from({ length: name.length }, (_, at) => {
    const character = name[at] ?? "";
    if ("([{（【［「".includes(character) && ++depth === 1) count++;
    const own = depth > 0 ? count : 0;
    if (")]}）】］」".includes(character) && depth > 0) depth--;
    return own;
  });
}
