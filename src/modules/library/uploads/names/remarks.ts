import { phrasesFrom } from "./lexicon.ts";
import { counted, type Token, tokensOf, withCount } from "./tokens.ts";

/** How many words a remark such as `for Jonas and Mia` may have behind its first. */
const MAX_WORDS = 4;

/**
 * Takes a name apart, and joins words that say something together: a word and its number, and remarks such as `vox up`,
 * `no limiter`, `for Jonas` or `use this one`. What is left of the words that only say something together belongs to the song.
 */
export function partsOf(name: string): Token[] {
  const parts: Token[] = [];
  const tokens = countWords(tokensOf(name));
  for (let at = 0; at < tokens.length; ) {
    const [token, length] = joinAt(tokens, at, name);
    parts.push(token);
    at += length;
  }
  return parts;
}

/** Returns a part of a name without brackets and the signs that stand for spaces. */
export const plainWords = (text: string): string =>
  text
    .replace(/[_()[\]{}]+|(?<=[\p{L}\p{N}])-(?=\p{L})/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** What the tokens from a place on say together: how many they are, and what they do. */
type Rule = (tokens: readonly Token[], at: number) => [length: number, says: Token["says"]] | undefined;

/** The rules of what words say together, the first that holds counts. */
const RULES: readonly Rule[] = [
  // `use this one`, `stereo out`
  (tokens, at) => {
    const phrase = phrasesFrom(tokens[at]?.word).find(({ words }) =>
      words.every((word, index) => tokens[at + index]?.word === word),
    );
    return phrase && [phrase.words.length, phrase.isStage ? "state" : "beside"];
  },
  // `no drums`
  (tokens, at) => {
    const isAbsent =
      says(tokens, at, "without") && says(tokens, at + 1, "part") && isNear(tokens, at, at + 1);
    return isAbsent ? [2, "recording"] : undefined;
  },
  // `no limiter`, `for Jonas and Mia`: all words up to the next mark
  (tokens, at) => {
    if (!says(tokens, at, "with", "without")) return undefined;
    const isWord = (index: number) => isNear(tokens, at, index) && !says(tokens, index, "state", "recording");
    const length = Math.min(MAX_WORDS + 1, countWhile(tokens, at, isWord));
    if (length === 1) return [1, "song"];
    return [length, says(tokens, at, "without") || says(tokens, at + 1, "medium") ? "beside" : "with"];
  },
  // `vox up`, `new bridge` and `vox +1 dB` are remarks; `drums` by itself is a recording of them.
  (tokens, at) => {
    const parts = countWhile(tokens, at, (index) => says(tokens, index, "part"));
    if (parts === 0) return undefined;
    const isMoved = (index: number) => isNear(tokens, at, index) && says(tokens, index, "move", "beside");
    const isStep = (index: number) =>
      isNear(tokens, at, index) && says(tokens, index, "state") && tokens[index]?.kind === "";
    if (isMoved(at + parts)) return [parts + 1, "beside"];
    return [parts, isMoved(at - 1) || isStep(at - 1) || isStep(at + parts) ? "beside" : "recording"];
  },
  // `part 2`
  (tokens, at) => {
    const isNumbered =
      says(tokens, at, "recording") && says(tokens, at + 1, "number") && isNear(tokens, at, at + 1);
    return isNumbered ? [2, "recording"] : undefined;
  },
  (tokens, at) => (says(tokens, at, "move", "medium") ? [1, "beside"] : undefined),
  (tokens, at) => (says(tokens, at, "before") ? [1, "song"] : undefined),
];

function joinAt(tokens: readonly Token[], at: number, name: string): [token: Token, length: number] {
  const first = tokens[at] as Token;
  const next = tokens[at + 1];
  // `pre-master`, `vinyl master`
  if (next && says(tokens, at, "before", "medium") && isNear(tokens, at, at + 1) && isStage(next))
    return [{ ...next, from: first.from, text: `${first.text} ${next.text}` }, 2];
  for (const rule of RULES) {
    const [length, meaning] = rule(tokens, at) ?? [];
    if (length === undefined || meaning === undefined) continue;
    const to = Math.max(...tokens.slice(at, at + length).map((token) => token.to));
    return [
      { ...first, to, says: meaning, kind: "", count: [], text: plainWords(name.slice(first.from, to)) },
      length,
    ];
  }
  return [first, 1];
}

function says(tokens: readonly Token[], at: number, ...wanted: Token["says"][]): boolean {
  const token = tokens[at];
  return token !== undefined && wanted.includes(token.says);
}

const isNear = (tokens: readonly Token[], one: number, other: number) =>
  tokens[one]?.bracket === tokens[other]?.bracket;

const isStage = ({ says, kind }: Token) =>
  says === "state" && kind !== "" && kind !== "copy" && kind !== "date";

function countWhile(tokens: readonly Token[], at: number, is: (index: number) => boolean): number {
  let end = at;
  while (end < tokens.length && is(end)) end++;
  return end - at;
}

/** `2nd mix` */
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th)$/;

/** True for a word that a number may count. */
const isOpen = ({ says, kind, count }: Token) =>
  (says === "state" || says === "perhaps") && kind !== "" && count.length === 0;

/** Gives words the numbers and letters that count them. */
function countWords(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const both = last?.bracket === token.bracket ? counting(last, token) : undefined;
    if (both) joined.splice(-1, 1, both);
    else joined.push(token);
  }
  return joined;
}

/** Returns two tokens as one when one counts the other. */
function counting(last: Token, token: Token): Token | undefined {
  const [, nth] = ORDINAL.exec(last.word) ?? [];
  if (nth !== undefined && isOpen(token)) return { ...withCount(token, counted(nth)), from: last.from };
  if (!isOpen(last)) return undefined;
  if (token.says === "number") return { ...withCount(last, token), to: token.to };
  // `rev B`: only what counts by its nature has letters, for `Demo A` may be a side.
  const isLetter = last.says === "perhaps" && /^[a-h]$/.test(token.word);
  return isLetter ? { ...withCount(last, counted("", token.word)), to: token.to } : undefined;
}
