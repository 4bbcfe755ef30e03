import { languageCode } from "../kernel/languages.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

/** Languages that are sung in and are not other words of English ("Thai", never "Even" or "Sango"). */
const SUNG_IN = [
  "arabic|armenian|bengali|bulgarian|cantonese|catalan|chinese|creole|croatian|czech|danish|dutch|english|estonian|farsi|finnish",
  "french|gaelic|georgian|german|greek|hebrew|hindi|hungarian|icelandic|igbo|indonesian|irish|italian|japanese|korean|latin",
  "lithuanian|malay|maltese|mandarin|mongolian|nepali|norwegian|persian|polish|portuguese|punjabi|romanian|russian|serbian",
  "slovak|somali|spanish|swahili|swedish|tagalog|tamil|telugu|thai|tibetan|turkish|ukrainian|urdu|vietnamese|welsh|wolof|xhosa|yiddish|yoruba|zulu",
].join("|");

const PEOPLE = "(?:brazilian |mexican |castilian |european |canadian |latin american |american |british )?";
const AFTER_IN = new RegExp(
  `\\b(?:sung|sings?|singing|lyrics?|vocals?|words|rap|rapped|rapping|song|songs|track|language)?[ :]*\\bin (?:the )?${PEOPLE}(${SUNG_IN})\\b(?! (?:style|manner|film|cinema|countryside|town|village|restaurant|cafe|bar|army|history|society|folklore|castle|tradition|court|city|movie|accent|horn|guitar|bakery|kitchen|bistro|subtitles|villa))`,
  "g",
);
const BEFORE_NOUN = new RegExp(
  `\\b${PEOPLE}(${SUNG_IN})[- ](?:language|lyrics?|vocals?|vocalist|singing|sung|voice|text|words|speaking|only lyrics|chorus|verses?|rap|hook|songs?|ballads?|female vocals?|male vocals?|female voice|male voice|singers?|female singer|male singer|female vox|male vox|vox|female|male)\\b`,
  "g",
);
const LABELLED = new RegExp(`\\b(?:language|lang|lyrics?|vocals?|sung in)\\s*[:=]\\s*(${SUNG_IN})\\b`, "g");
/** Names that the standard gives to a group or to another spelling. */
const CODES: Readonly<Record<string, string>> = {
  mandarin: "zh",
  cantonese: "zh",
  gaelic: "ga",
  farsi: "fa",
  creole: "ht",
  tagalog: "tl",
};

/** Finds the language that the words should be in. */
export function findLanguage(plain: string, scopes: Scopes): { code: string; span: Span } | undefined {
  const matches = [...plain.matchAll(LABELLED), ...plain.matchAll(AFTER_IN), ...plain.matchAll(BEFORE_NOUN)];
  for (const match of matches) {
    const name = match[1] ?? "";
    const code = CODES[name] ?? languageCode(name);
    const span = languageSpan(match, name);
    if (code !== undefined && !isWithin(scopes.unwanted, span.start) && !isLatinMusic(match, name))
      return { code, span };
  }
  return undefined;
}

/** "Latin female vocals" and "Latin songs" speak of the music of Latin America. */
function isLatinMusic(match: RegExpMatchArray, name: string): boolean {
  return name === "latin" && !/^(?:.*\bin latin|.*language)/.test(match[0]);
}

/** Only the language's own name is read: "lyrics" beside it still asks for a voice. */
function languageSpan(match: RegExpMatchArray, name: string): Span {
  const start = spanOf(match).start + match[0].lastIndexOf(name);
  return { start, end: start + name.length };
}
