import { fold } from "../../../../kernel/text.ts";
import { datesIn } from "./dates.ts";
import { factsIn } from "./facts.ts";
import { countsVersions, kindOf, tailOf, type WordKind, wordsIn } from "./lexicon.ts";

/**
 * A part of a name. `says` is what it does there: `state` is no part of the song by itself, `perhaps` in some names, `beside` only
 * behind a `state`. A `number` counts what stands before it; a `recording` makes another one of the song. The others are words
 * that only say something together.
 */
export type Token = {
  from: number;
  to: number;
  says:
    | "song"
    | "state"
    | "perhaps"
    | "beside"
    | "number"
    | "recording"
    | "move"
    | "part"
    | "with"
    | "without"
    | "before"
    | "medium";
  /** As a label writes it; empty for what no label needs. */
  text: string;
  /** What is counted, and how far: `mix 3b` is `mix` and [3, 2]. */
  kind: string;
  count: readonly number[];
  /** The bracket that it stands in, counted from 1; 0: none. */
  bracket: number;
  /** The folded word. */
  word: string;
  /** Where a counter begins that the song's last word may end in: 4 in `halov6`. */
  counterAt?: number;
};

/** What file managers and render dialogs add. */
const COPY = /(?<=[\p{L}\p{N})\]])(?:-(\d{3})|_(0\d\d))$/u;
const NUMBERED = /(?<=[\p{L}\p{N})\]])\s*\((\d{1,3})\)/gu;
const WORD = /[\p{L}\p{M}\p{N}'’]+(?:(?<=\p{N})\.\p{N}+\p{L}?(?![\p{L}\p{N}]))*/gu;
const TECHNICAL = /^\d{2,3}(\.\d)?(bit|k|khz|hz|kbps|b)$/;
const COUNTED = /^(\D+?)[.]?(\d{1,3}(?:\.\d{1,3})*)([a-z])?$/;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3})*)([a-z])?$/;
/** Counters that are too short to be words without their number: `R1`, `rc2`, `mx3`. */
const SHORT = /^(r|rc|mx|tk)(\d{1,3})([a-z])?$/;
const SHORT_FOR: Readonly<Record<string, string>> = { r: "rev", mx: "mix", tk: "take" };
/** `halov6`, `mothv2final`, and the projects that workstations count: `beach036`, with a draft `beach036d1`. */
const GLUED =
  /^(\D*\p{L}\D*?)(?:v(\d{1,3}(?:\.\d{1,2})?)([a-z](?!\p{L}))?(\p{L}{3,})?|(0\d\d)(?:d(\d{1,2}))?)$/u;

const NOTHING = { text: "", kind: "", count: [], bracket: 0, word: "" } as const;

/** Takes a name apart, without its ending and in composed Unicode. */
export function tokensOf(name: string): Token[] {
  const fixed = [...copiesIn(name), ...datesIn(name).map(dateToken), ...factsIn(name).map(factToken)];
  const taken: Token[] = [];
  for (const token of fixed)
    if (!taken.some(({ from, to }) => token.from < to && token.to > from)) taken.push(token);
  const words = [...name.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isTaken = taken.some(({ from, to }) => index < to && index + word.length > from);
    return isTaken ? [] : wordTokens(word, index);
  });
  const bracketAt = bracketsOf(name);
  return [...taken, ...words]
    .sort((a, b) => a.from - b.from || a.to - b.to)
    .map((token) => ({ ...token, bracket: token.kind === "copy" ? 0 : (bracketAt[token.to - 1] ?? 0) }));
}

function copiesIn(name: string): Token[] {
  const numbered = [...name.matchAll(NUMBERED)].map(({ 0: all, 1: digits = "", index }) =>
    copyToken({ from: index, to: index + all.length }, `(${digits})`, digits),
  );
  const found = COPY.exec(name);
  if (!found) return numbered;
  const digits = found[1] ?? found[2] ?? "";
  return [...numbered, copyToken({ from: found.index, to: name.length }, digits, digits)];
}

const copyToken = (at: { from: number; to: number }, text: string, digits: string): Token => ({
  ...{ ...NOTHING, ...at, text },
  // Render dialogs count from 001, and `Boeing-747` is a name.
  says: text.startsWith("(") || digits.startsWith("0") ? "state" : "perhaps",
  kind: "copy",
  count: [Number(digits)],
});

const dateToken = ({ from, to, text, count }: ReturnType<typeof datesIn>[number]): Token => ({
  ...{ ...NOTHING, from, to, text, count },
  says: "state",
  kind: "date",
});

const factToken = ({ from, to, text, isSure }: ReturnType<typeof factsIn>[number]): Token => ({
  ...{ ...NOTHING, from, to, text },
  says: isSure ? "state" : "beside",
});

/** Returns the tokens of one word: more than one for `finalv2`, and for a text without spaces that ends in a state. */
function wordTokens(word: string, from: number): Token[] {
  const folded = fold(word).replace(/['’]/g, "");
  const at = { from, to: from + word.length };
  const [, letters = folded, digits, letter] = COUNTED.exec(folded) ?? [];
  const isLong = digits !== undefined || letters.length > 5;
  const known = kindOf(folded) ? [folded] : isLong ? wordsIn(letters) : undefined;
  if (known) {
    const last = known.length - 1;
    return known.map((each, index) => {
      const shown = known.length > 1 ? each : lettersOf(word);
      return knownToken(at, shown, each, index === last ? [digits, letter] : []);
    });
  }
  if (TECHNICAL.test(folded)) return [{ ...NOTHING, ...at, says: "state" }];
  const number = NUMBER.exec(folded);
  if (number) return [{ ...NOTHING, ...at, word: folded, says: "number", ...counted(number[1], number[2]) }];
  const [, short = "", count, side] = SHORT.exec(folded) ?? [];
  if (count !== undefined) {
    const kind = SHORT_FOR[short] ?? short;
    return [{ ...NOTHING, ...at, says: "state", kind, ...counted(count, side), text: folded }];
  }
  return unspaced(word, from, [digits, letter]) ?? gluedTokens(word, folded, at);
}

type Span = { from: number; to: number };
type Count = readonly [digits?: string | undefined, letter?: string | undefined];

function unspaced(word: string, from: number, count: Count): Token[] | undefined {
  const letters = lettersOf(word);
  const at = tailOf(fold(letters));
  if (at === 0) return undefined;
  const tail = { from: from + at, to: from + word.length };
  const folded = fold(letters.slice(at));
  const front = fold(letters.slice(0, at));
  const known = knownToken(tail, letters.slice(at), folded, count);
  const rest = { from, to: from + at };
  return [
    kindOf(front)
      ? knownToken(rest, letters.slice(0, at), front, [])
      : { ...NOTHING, ...rest, word: front, says: "song" },
    known,
  ];
}

/** A word of a song, with the counter that it may end in, and the stages behind that. */
function gluedTokens(word: string, folded: string, { from, to }: Span): Token[] {
  const song: Token = { ...NOTHING, from, to, word: folded, says: "song" };
  const [, front = "", version, letter, rest = "", project, draft] = GLUED.exec(folded) ?? [];
  const stages = rest === "" ? [] : wordsIn(rest);
  // A folded word that is not as long as the word does not say where the counter begins.
  if (front.length < 2 || !stages || word.length !== folded.length) return [song];
  const counter =
    version === undefined
      ? { kind: "project", ...projectCount(project, draft) }
      : { ...withCount({ ...song, kind: "v" }, counted(version, letter)), says: song.says };
  const after = { from: to, to };
  return [
    { ...song, ...counter, counterAt: from + front.length },
    ...stages.map((each) => knownToken(after, each, each, [])),
  ];
}

/** How far a project is counted, with the draft of its mix: `036d1`. */
const projectCount = (project = "", draft = "") => ({
  text: project + (draft === "" ? "" : `d${draft}`),
  count: [Number(project), Number(draft)],
});

const lettersOf = (word: string) => word.replace(/\.?\d.*$/u, "");

const SAYS: Readonly<Record<WordKind, Token["says"]>> = {
  stage: "state",
  counted: "perhaps",
  before: "before",
  medium: "medium",
  beside: "beside",
  move: "move",
  part: "part",
  with: "with",
  without: "without",
  kind: "recording",
  copy: "state",
  technical: "beside",
};

function knownToken(at: Span, shown: string, word: string, [digits, letter]: Count): Token {
  const kind = kindOf(word) ?? "beside";
  const name = countsVersions(word) ? "v" : word;
  const own: Token = { ...NOTHING, ...at, word, says: SAYS[kind], text: shown.toLowerCase() };
  if (kind === "technical") return { ...own, text: "" };
  if (kind !== "stage" && kind !== "counted" && kind !== "copy") return own;
  const state = { ...own, kind: name };
  return digits === undefined ? state : withCount(state, counted(digits, letter));
}

/** Returns a word with the number that stands behind it. */
export function withCount(token: Token, { text, count }: Pick<Token, "text" | "count">): Token {
  const label = token.kind === "v" ? `v${text}` : `${token.text} ${text}`;
  return { ...token, says: "state", text: label, count };
}

/** Returns how far digits count: `3b` as `3b` and [3, 2]. */
export function counted(digits = "", letter = ""): Pick<Token, "text" | "count"> {
  const parts = digits === "" ? [] : digits.split(".").map(Number);
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
