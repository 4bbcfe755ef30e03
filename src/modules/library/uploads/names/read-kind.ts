import { fold } from "../../../../kernel/text.ts";
import { type KindPhrase, type KindWord, kindPhrasesFrom, kindTailOf, type PartWord } from "./kind-words.ts";

/** What a file may be of its song. */
export type NamedKind = Exclude<KindWord, "edit" | "beside">;

/** What a song's name says besides the song. */
export type ReadKind = {
  /** The song that a set shares; empty when the name says only what the file is of it. */
  song: string;
  /** Null: the name does not say. */
  kind: NamedKind | null;
  /** The length of an edit, seconds; null: the name gives none. */
  editSec: number | null;
  /** True: the name says that it is a shorter one, with its length or without. */
  isEdit: boolean;
  /** The instrument of a stem. */
  part: PartWord | null;
};

/** The shortest and the longest edit. */
const [MIN_EDIT_SEC, MAX_EDIT_SEC] = [5, 600];
/** Lengths that a plain number at the end may mean. */
const USUAL_SEC: ReadonlySet<string> = new Set(["6", "10", "15", "20", "30", "45", "60", "90", "120"]);

/** Units of time as names have them, in several languages. */
const unitsOf = (...lines: readonly string[]) => lines.join(" ").replaceAll(" ", "|");
const SECONDS = unitsOf(
  "s sec secs second seconds sek sekunde sekunden seconde secondes",
  "segundo segundos seg secondi seconden sekunder sekunda sekundy sn saniye",
  "сек секунда секунды секунд с 秒 초",
);
const MINUTES = unitsOf(
  "min mins minute minutes minuten minuto minutos minuti minuut minuter minuta minuty dk dakika",
  "мин минута минуты 分 분",
);
const START = "(?<![\\p{L}\\p{N}:])";
const END = "(?![\\p{L}\\p{N}])";
/** `:30`, `1:30`, `30"`, `30s`, `30-second`, `1 min`. */
const LENGTHS: readonly { of: RegExp; secondsIn: (groups: Record<string, string | undefined>) => number }[] =
  [
    {
      of: new RegExp(`${START}(?<minutes>[0-9]?):(?<seconds>[0-5]\\d)${END}`, "gu"),
      secondsIn: ({ minutes, seconds }) => 60 * Number(minutes ?? 0) + Number(seconds),
    },
    {
      of: new RegExp(`${START}(?<seconds>\\d{1,3})(?:["″”]|''|[\\s-]?(?:${SECONDS})${END})`, "giu"),
      secondsIn: ({ seconds }) => Number(seconds),
    },
    {
      of: new RegExp(`${START}(?<minutes>\\d)[\\s-]?(?:${MINUTES})${END}`, "giu"),
      secondsIn: ({ minutes }) => 60 * Number(minutes),
    },
  ];

const WORD = /[\p{Lu}]?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}'’]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/** What parts a name into the song and what is said of it: brackets, dashes with spaces, bars and slashes. */
const BORDER = /[()[\]{}（）【】［］「」|/]|\s[-–—]+\s|\s[-–—]+$|_/gu;

/** A word, a length or a border of a name. */
type Piece = { from: number; to: number; word: string; sec?: number; isBorder?: true };
/** A stretch of pieces that says one thing; `undefined`: a word of the song. */
type Part = {
  from: number;
  to: number;
  says: KindPhrase["says"] | { sec: number } | "number" | undefined;
  number?: string;
};

/**
 * Takes from a song's name, which has no marks of a version any more, what says what a file is of its song: `Night Drive
 * (Instrumental 60s)` is an instrumental of 60 seconds of `Night Drive`. What is said stands behind the song, or for itself
 * between borders.
 */
export function readKind(song: string): ReadKind {
  const segments = segmentsOf(song);
  const cuts = segments.flatMap((segment, index) => cutsIn(segment, index === 0));
  const said = cuts.map(({ says }) => says);
  const seconds = said.flatMap((each) => (typeof each === "object" && "sec" in each ? [each.sec] : []));
  const kinds = said.flatMap((each) => (typeof each === "object" && "kind" in each ? [each.kind] : []));
  const part = said.flatMap((each) => (typeof each === "object" && "part" in each ? [each.part] : [])).at(0);
  if (!isSaid({ seconds, kinds, part }))
    return { song, kind: null, editSec: null, isEdit: false, part: null };
  const kind = kindOf(kinds, part);
  return {
    song: withoutCuts(song, cuts),
    kind,
    editSec: seconds.at(0) ?? null,
    isEdit: seconds.length > 0 || kinds.includes("edit"),
    part: kind === "stem" ? (part ?? "other") : null,
  };
}

type SaidAll = { seconds: readonly number[]; kinds: readonly KindWord[]; part: PartWord | undefined };

const isSaid = ({ seconds, kinds, part }: SaidAll) =>
  seconds.length > 0 || part !== undefined || kinds.some((kind) => kind !== "beside");

/** The surest of several: `TV instrumental` is an instrumental, and what has an instrument is a stem. */
const ORDER: readonly NamedKind[] = ["stem", "acapella", "instrumental", "tv", "clean", "other", "main"];

function kindOf(kinds: readonly KindWord[], part: PartWord | undefined): NamedKind | null {
  const named = ORDER.find((kind) => kinds.includes(kind));
  return part !== undefined && (named === undefined || named === "main" || named === "stem")
    ? "stem"
    : (named ?? null);
}

/** Returns the pieces of a name between its borders. */
function segmentsOf(song: string): Part[][] {
  const segments: Piece[][] = [[]];
  for (const piece of piecesOf(song))
    if (piece.isBorder) segments.push([]);
    else segments.at(-1)?.push(piece);
  return segments.filter(({ length }) => length > 0).map(partsOf);
}

function piecesOf(song: string): Piece[] {
  const lengths = LENGTHS.flatMap(({ of, secondsIn }) =>
    [...song.matchAll(of)].map(
      ({ 0: text, index, groups = {} }): Piece => ({
        ...{ from: index, to: index + text.length, word: "" },
        sec: secondsIn(groups),
      }),
    ),
  ).filter(({ sec = 0 }) => sec >= MIN_EDIT_SEC && sec <= MAX_EDIT_SEC);
  const isFree = ({ from, to }: Piece) => !lengths.some((length) => from < length.to && to > length.from);
  const borders = [...song.matchAll(BORDER)].map(
    ({ 0: text, index }): Piece => ({ from: index, to: index + text.length, word: "", isBorder: true }),
  );
  const words = [...song.matchAll(WORD)].flatMap(({ 0: word, index }) => wordPieces(word, index));
  return [...lengths, ...[...borders, ...words].filter(isFree)].sort((one, two) => one.from - two.from);
}

function wordPieces(word: string, from: number): Piece[] {
  const at = kindTailOf(word);
  const pieces = at === 0 ? [word] : [word.slice(0, at), word.slice(at)];
  return pieces.map((each, index) => {
    const start = from + (index === 0 ? 0 : at);
    return { from: start, to: start + each.length, word: fold(each).replace(/['’]/g, "") };
  });
}

function partsOf(pieces: readonly Piece[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    const phrase = kindPhrasesFrom(piece.word).find(({ words }) =>
      words.every((word, index) => pieces[at + index]?.word === word),
    );
    const length = phrase?.words.length ?? 1;
    const to = pieces[at + length - 1]?.to ?? piece.to;
    const isNumber = /^\d{1,3}$/.test(piece.word);
    const says = piece.sec ? { sec: piece.sec } : (phrase?.says ?? (isNumber ? "number" : undefined));
    parts.push({ from: piece.from, to, says, ...(isNumber && { number: piece.word }) });
    at += length;
  }
  return parts;
}

/**
 * Returns what a segment says besides the song: all of it when it has no word of one, else its end, from the first that says
 * something. A number before that belongs to the song, unless it is a usual length.
 */
function cutsIn(segment: readonly Part[], isFirst: boolean): Part[] {
  const last = segment.findLastIndex(({ says }) => says === undefined);
  const tail = segment.slice(last + 1);
  const isLoneNumber = tail.length === 1 && isLength(tail[0]) && !(isFirst && last < 0);
  if (!isLoneNumber && !tail.some(saysMuch)) return [];
  const from = last < 0 ? 0 : tail.findIndex((part) => saysMuch(part) || isLength(part));
  return tail
    .slice(from)
    .map((part) => (isLength(part) ? { ...part, says: { sec: Number(part.number) } } : part));
}

const isLength = (part: Part | undefined) => part?.number !== undefined && USUAL_SEC.has(part.number);

const saysMuch = ({ says }: Part) =>
  says !== undefined && says !== "number" && !("kind" in says && says.kind === "beside");

/** Returns a name without what was cut, and without the brackets and signs that this leaves empty. */
function withoutCuts(song: string, cuts: readonly Part[]): string {
  let [rest, at] = ["", 0];
  for (const { from, to } of cuts) {
    rest += `${song.slice(at, from)} `;
    at = to;
  }
  rest += song.slice(at);
  return rest
    .replace(/[([{（【［「][\s\-_.,+&/|]*[)\]}）】］」]/gu, " ")
    .replace(/(\s[-–—]+)+(?=\s[-–—]|\s*$)/gu, "")
    .replace(/^[\s\-–—_.,+&/|]+|[\s\-–—_,+&/|]+$/gu, "")
    .replace(/\s+/g, " ");
}
