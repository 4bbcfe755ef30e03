import { partsOf, plainWords } from "./remarks.ts";
import type { Token } from "./tokens.ts";

/** What a name says of a file. */
export type ReadName = {
  /** The song as it is written; empty when the name says nothing but which version it is. */
  song: string;
  /** Shorter songs that the name may also mean: `Night Bus mix` may be a mix of `Night Bus`. */
  perhaps: { song: string; label: string }[];
  /** The song before a counter that words follow which say nothing known, or that its last word ends in. */
  loose: LooseReading | undefined;
  /** Which version it is, such as `v11 final`; empty when the name does not say. */
  label: string;
  /** True when the label cannot be part of a title: it counts, is a date or a fact, or stands in brackets. */
  isPlain: boolean;
};

/** A reading that takes words for remarks which are in no list: `Halo v7 SSL` for `Halo`, counted by `v`. */
export type LooseReading = { song: string; label: string; counts: string; isGlued: boolean };

const ENDING =
  /(?:\.(?:wave?|w64|rf64|bwf|aiff?|aifc|flac|mp[234]|m4a|aac|og[ga]|opus|webm|caf|wv|wma|au|snd|ac3|tta|dsf|ape))+$/i;
/** The longest label: what a version's label may be. */
const MAX_LABEL = 64;

/** Returns the stem of an audio file's name. A name without an ending is its own stem. */
export const stemOf = (name: string): string => name.normalize("NFC").replace(ENDING, "");

/**
 * Parts a file's name into the song and the marks that say which version of it the file holds. Behind a mark, remarks such as
 * `vox up` belong to it. Words of another recording (`instrumental`) belong to the song, also behind a mark, and so do words
 * in brackets that are more than marks and remarks.
 *
 *     name   = { mark | "(" mark ")" } song { [ recording ] tail }
 *     tail   = mark { mark | remark | "(" mark | remark ")" }
 *     mark   = counter | stage | date | copy | fact
 */
export function readName(name: string): ReadName {
  const stem = stemOf(name);
  const tokens = partsOf(stem);
  const isCut = cutsOf(tokens);
  const marks = tokens.filter((_, index) => isCut[index]);
  const perhaps = looserCuts(tokens, isCut).map((cut) => ({ song: songOf(stem, cut), label: labelOf(cut) }));
  return {
    song: songOf(stem, marks),
    label: labelOf(marks),
    loose: looseOf(stem, tokens, isCut),
    perhaps: perhaps.filter((each) => each.song !== ""),
    isPlain: marks.some(isPlain),
  };
}

/** Returns the label that a name may say, if it says none for sure: `v6` for `Halov6`. */
export const possibleLabel = (name: string): string => readName(name).loose?.label ?? "";

const isPlain = ({ bracket, count, says, kind }: Token) =>
  bracket > 0 || count.length > 0 || (says === "state" && kind === "");

/** Returns what the marks of a label count: `mix 3` is `mix` with [3]. */
export function countsOf(label: string): ReadonlyMap<string, readonly number[]> {
  const marks = partsOf(label).filter(({ count, kind }) => kind !== "" && count.length > 0);
  return new Map(marks.map(({ kind, count }) => [kind, count]));
}

/** Says of each token whether it is a mark or a remark, and no part of the song. */
function cutsOf(tokens: readonly Token[]): boolean[] {
  const isCut = tokens.map((token) => token.kind === "date" || isMarkBracket(tokens, token.bracket));
  let behind: Behind = { remarks: [], isOther: false };
  for (let at = tokens.length - 1; at >= 0; at--) {
    const role = roleOf(tokens, at, isCut[at] === true, behind);
    if (role === "song") break;
    if (role === "mark") for (const index of [...behind.remarks, at]) isCut[index] = true;
    behind = withRole(tokens, at, role, behind);
  }
  return mayBeTitle(tokens, isCut) ? isCut.map(() => false) : isCut;
}

/** What a name's tail has behind a place: remarks that no mark before them has claimed yet, and whether it names another recording. */
type Behind = { remarks: readonly number[]; isOther: boolean };
type Role = "song" | "mark" | "remark" | "recording";

/** Says what a token is in a tail that is read from its end; `song`: the tail begins behind it. */
function roleOf(tokens: readonly Token[], at: number, isCut: boolean, behind: Behind): Role {
  const token = tokens[at] as Token;
  const says = token.bracket > 0 ? bracketSays(tokens, token.bracket, isCut) : token.says;
  if (says === "song" || says === "recording") return says;
  if (says === "number") return followsMark(tokens, at) ? "remark" : "song";
  if (says !== "state") return "remark";
  if (behind.isOther && !hasSong(tokens, at)) return "song";
  return isOpenTo(
    token,
    behind.remarks.map((index) => tokens[index]),
  )
    ? "remark"
    : "mark";
}

function withRole(tokens: readonly Token[], at: number, role: Role, { remarks, isOther }: Behind): Behind {
  if (role === "mark") return { remarks: [], isOther };
  if (role === "remark") return { remarks: [...remarks, at], isOther };
  const others = remarks.filter((index) => index !== at + 1 || !isOwnMix(tokens[index]));
  return { remarks: others, isOther: isOther || tokens[at]?.bracket === 0 };
}

/** True when a mark and what stands behind it may be a title: `Bounce with Me`, but not `v3 with strings` or `demo (for Mara)`. */
const isOpenTo = ({ kind, count }: Token, behind: readonly (Token | undefined)[]) =>
  kind !== "" && count.length === 0 && behind.some((token) => token?.says === "with" && token.bracket === 0);

/** True for the word that another recording has in its name: `instrumental mix`, `radio edit`. */
const isOwnMix = (token: Token | undefined) => token?.says === "perhaps" || token?.word === "edit";

const REMARKS: ReadonlySet<Token["says"]> = new Set(["beside", "with", "perhaps"]);

/** What a bracket is in a tail: a mark, a remark, or words of the song that a tail goes on before. */
function bracketSays(tokens: readonly Token[], bracket: number, isMark: boolean): Token["says"] {
  if (isMark) return "state";
  const inside = tokens.filter((token) => token.bracket === bracket);
  return inside.every(({ says }) => REMARKS.has(says)) ? "beside" : "recording";
}

const hasSong = (tokens: readonly Token[], end: number) =>
  tokens.some(({ says }, index) => index < end && (says === "song" || says === "number"));

/** True for a number behind a mark that has its number already: `2026-03-05_1`. */
function followsMark(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.says === "state" && before.bracket === tokens[at]?.bracket;
}

/** True for marks without a song whose words may be a title: `Final Edit`, `Demo for Mara`, `24k`. */
function mayBeTitle(tokens: readonly Token[], isCut: readonly boolean[]): boolean {
  if (!isCut.every(Boolean)) return false;
  const hasRemark = tokens.some(({ says }) => says === "beside" || says === "with");
  const isMarked = tokens.some(({ kind }) => kind !== "");
  return !isMarked || (hasRemark && !tokens.some(({ count }) => count.length > 0));
}

/** True for a bracket with nothing but marks in it. */
function isMarkBracket(tokens: readonly Token[], bracket: number): boolean {
  if (bracket === 0) return false;
  const inside = tokens.filter((token) => token.bracket === bracket);
  const isKnown = inside.every(({ says }) => says === "state" || REMARKS.has(says));
  return isKnown && inside.some(({ says }) => says === "state" || says === "perhaps");
}

const isMarkWord = (token: Token | undefined) =>
  token !== undefined &&
  token.bracket === 0 &&
  (token.says === "state" || token.says === "perhaps" || token.says === "beside");

/** Returns the marks of readings that leave less of the name to the song. */
function looserCuts(tokens: readonly Token[], isCut: readonly boolean[]): Token[][] {
  const cuts: Token[][] = [];
  const end = tokens.findLastIndex((token, index) => !isCut[index] && token.bracket === 0) + 1;
  let from = end;
  while (isMarkWord(tokens[from - 1])) from--;
  const perhaps = tokens.findIndex(
    (token, index) => index >= from && index < end && token.says === "perhaps",
  );
  if (perhaps > 0) cuts.push(tokens.filter((_, index) => isCut[index] || (index >= perhaps && index < end)));
  const inside = (token: Token, index: number) => index > 0 && isVersion(token);
  if (tokens.some((token, index) => !isCut[index] && inside(token, index)))
    cuts.push(tokens.filter((token, index) => isCut[index] || inside(token, index)));
  return cuts;
}

const isVersion = ({ says, kind, count }: Token) => says === "state" && kind === "v" && count.length > 0;

/** What counts versions so surely that unknown words behind it are remarks, where the library has the song. */
const SURE_COUNTERS: ReadonlySet<string> = new Set(["v", "rev", "mix", "project"]);

/** True for what makes another recording: `live`, and somebody's own `mix` or `edit`. */
const isOther = (token: Token, before: Token | undefined) =>
  token.says === "recording" ||
  (isOwnMix(token) && before?.says === "song" && before.counterAt === undefined);

function looseOf(
  stem: string,
  tokens: readonly Token[],
  isCut: readonly boolean[],
): LooseReading | undefined {
  const at = tokens.findIndex(
    (token, index) =>
      token.bracket === 0 &&
      SURE_COUNTERS.has(token.kind) &&
      token.count.length > 0 &&
      (token.counterAt !== undefined || (index > 0 && !isCut[index])) &&
      (token.counterAt !== undefined || hasSong(tokens, index)),
  );
  const counter = tokens[at];
  if (!counter || tokens.some((token, index) => index > at && isOther(token, tokens[index - 1])))
    return undefined;
  const song = songOf(stem.slice(0, counter.counterAt ?? counter.from), []);
  const label = shortened(`${counter.text} ${plainWords(stem.slice(counter.to))}`.trim());
  return song === ""
    ? undefined
    : { song, label, counts: counter.kind, isGlued: counter.counterAt !== undefined };
}

const labelOf = (marks: readonly Token[]) =>
  shortened(
    marks
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join(" "),
  );

/** Cuts a label that is too long, between two words where it can. */
const shortened = (label: string) =>
  label.length <= MAX_LABEL
    ? label
    : label
        .slice(0, MAX_LABEL + 1)
        .replace(/\s+\S*$/, "")
        .slice(0, MAX_LABEL);

/** Returns the text without its marks. */
function songOf(stem: string, marks: readonly Token[]): string {
  let [song, at] = ["", 0];
  for (const { from, to } of marks) {
    song += `${stem.slice(at, Math.max(at, from))} `;
    at = Math.max(at, to);
  }
  song += stem.slice(at);
  return withSpaces(song, stem)
    .replace(/[([{（【［「][\s\-_.,+]*[)\]}）】］」]/gu, " ")
    .replace(/\s+([-–—_.,+!?~*=#]\s*)+$/u, "")
    .replace(/^[\s\-–—_.,+]+|[\s\-–—_,+]+$/gu, "")
    .replace(/\s+/g, " ");
}

/** Gives a song its spaces, where the name writes underscores or dots for them. */
function withSpaces(song: string, stem: string): string {
  if (/\s/.test(stem.trim())) return song;
  return song.replace(stem.includes("_") ? /_+/g : /\.(?=\D|$)/g, " ");
}
