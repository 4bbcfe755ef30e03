import { languageCode } from "../languages.ts";
import { isWithin, type Scopes } from "./scopes.ts";
import { type Span, spanOf } from "./text.ts";

/** Languages that are sung in and are not other words of English ("Thai", never "Even" or "Sango"). */
const SUNG_IN = [
  "arabic|bengali|bulgarian|cantonese|catalan|chinese|croatian|czech|danish|dutch|english|finnish|french|gaelic",
  "german|greek|hebrew|hindi|hungarian|icelandic|indonesian|irish|italian|japanese|korean|latin|malay|mandarin",
  "norwegian|persian|polish|portuguese|punjabi|romanian|russian|serbian|spanish|swahili|swedish|tamil|thai|turkish",
  "ukrainian|urdu|vietnamese|welsh|yoruba|zulu",
].join("|");

const MENTION = new RegExp(
  `\\b(?:sung |sings |lyrics |vocals |singing )?in (${SUNG_IN})\\b|\\b(${SUNG_IN})[- ](?:language|lyrics?|vocals?|singing|sung|voice|text|words)\\b`,
  "g",
);
/** Names that the standard gives to a group or to another spelling. */
const CODES: Readonly<Record<string, string>> = { mandarin: "zh", cantonese: "zh", gaelic: "ga" };

/** Finds the language that the words should be in. */
export function findLanguage(plain: string, scopes: Scopes): { code: string; span: Span } | undefined {
  for (const match of plain.matchAll(MENTION)) {
    const name = match[1] ?? match[2] ?? "";
    const code = CODES[name] ?? languageCode(name);
    const span = languageSpan(match, name);
    if (code !== undefined && !isWithin(scopes.unwanted, span.start)) return { code, span };
  }
  return undefined;
}

/** Only the language's own name is read: "lyrics" beside it still asks for a voice. */
function languageSpan(match: RegExpMatchArray, name: string): Span {
  const start = spanOf(match).start + match[0].indexOf(name);
  return { start, end: start + name.length };
}
