import { tagsNamed } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import { spanOf } from "./text.ts";

const DECADE = /(?<![\d.$£€:#-])'?(?:(?:19|20)(\d)0|(\d)0|(\d)0)'?s(?![\p{L}\d])/gu;
const YEAR =
  /(?<![\d.,$£€:#/-])(?:circa |c\. ?|from |like )?(19[2-9]\d|200\d|201\d)(?=[- ](?:style|style[ds]|era|vibe|sound|feel)|\s*(?:[,.;:)\n]|$)| \p{L})(?!-\d)/gu;
const SPELLED = /\bnineteen[- ](twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b/g;
/** "in her 20s", "a 90s spot". */
const AGE_BEFORE =
  /\b(?:in (?:his|her|their|my|your|our)|aged?|early|mid|late)(?: (?:early|mid|late))?[- ]*$/;
const NOT_A_YEAR =
  /\b(?:for|by|until|since|(?:founded|born|opened|started|established|made|released|launched|due|out) in|release|©|copyright|summer|spring|autumn|winter|fall|q[1-4]|january|february|march|april|may|june|july|august|september|october|november|december|reference|ref|no|number|\d{1,2})\s*$/;

/** Finds decades and years and gives them as eras: "80s", "'70s", "1960's", "circa 1974". */
export function findEras(plain: string): Mention[] {
  const decades = [...plain.matchAll(DECADE)]
    .filter((match) => !isAge(plain, match.index))
    .map((match) => named(match, match[0].replace(/'/g, "")));
  const years = [...plain.matchAll(YEAR)]
    .filter((match) => !NOT_A_YEAR.test(plain.slice(Math.max(0, match.index - 14), match.index)))
    .map((match) => named(match, `${match[1]?.slice(0, 3)}0s`));
  const spelled = [...plain.matchAll(SPELLED)].map((match) => named(match, match[1] ?? ""));
  return [...decades, ...years, ...spelled].filter(({ tags }) => tags.length > 0);
}

function isAge(plain: string, at: number): boolean {
  const before = plain.slice(Math.max(0, at - 25), at);
  return /\bin (?:his|her|their|my|your|our)\b/.test(before) && AGE_BEFORE.test(before);
}

function named(match: RegExpExecArray, text: string): Mention {
  const tags = tagsNamed(text).filter(({ category }) => category === "eras");
  return { ...spanOf(match), tags, suggests: [] };
}
