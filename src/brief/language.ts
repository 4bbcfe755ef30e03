import { languageCode } from "../kernel/languages.ts";
import type { Reading } from "./match.ts";
import type { Match } from "./reading.ts";
import { apply, type Rule } from "./rule.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin, type Span } from "./text.ts";

/** How briefs name the language of the lyrics, the most reliable rule first. */
export const LANGUAGE_RULES: readonly Rule<string>[] = [
  {
    name: "a label",
    patterns: ["<language.label>~(:|=)~<language.name=name>"],
    example: ["Language: Spanish", "es"],
    read: codeOf,
    span: nameSpan,
  },
  {
    name: "sung in it",
    patterns: ["in [the ][<language.people> ]<language.name=name>!( <language.elsewhere>)"],
    example: ["sung in brazilian portuguese", "pt"],
    read: codeOf,
    span: nameSpan,
  },
  {
    name: "its voices or words",
    patterns: ["[<language.people> ]<language.name=name>_<language.sung>"],
    example: ["welsh-language pop", "cy"],
    read: codeOf,
    span: nameSpan,
  },
];

/** Codes for names that the standard lists under a group or another spelling. */
const CODES: Readonly<Record<string, string>> = {
  mandarin: "zh",
  cantonese: "zh",
  gaelic: "ga",
  farsi: "fa",
  creole: "ht",
  tagalog: "tl",
};

/** Finds the language that the lyrics should be in. */
export function findLanguage(reading: Reading, scopes: Scopes): { code: string; span: Span } | undefined {
  const found = LANGUAGE_RULES.flatMap((rule) => apply(reading, rule));
  const first = found.find(({ span }) => !isWithin(scopes.unwanted, span.start));
  return first && { code: first.value, span: first.span };
}

function codeOf({ text, named: { name = "" } }: Match): string | undefined {
  // "Latin female vocals" and "Latin songs" mean the music of Latin America.
  if (name === "latin" && !/\bin latin|language/.test(text)) return undefined;
  return CODES[name] ?? languageCode(name);
}

/** Marks only the language's name as read: "lyrics" beside it still asks for a voice. */
function nameSpan({ places, start, end }: Match): Span {
  return places.name ?? { start, end };
}
