import { meaningOf } from "./lexicon.ts";

/** "-drums" and "+piano" after a blank, as in a search box; "- drums" is an item of a list. */
const SIGNED = /(?<=[\p{L}\p{N})"][ \t,;|]+)([-+])(\p{L}[\p{L}&']*)(?: (\p{L}+))?(?![\p{L}'-])/gu;
const VOICES = /^(?:vocals?|vox|voices?|singing|lyrics|words)$/i;

/** "ninetybpm", "80sbpm": a unit joined to a word. */
const JOINED_UNIT = /(?<=\p{L}\p{L}|\ds)(?=b(?:pm|mp)s?(?!\p{L}))/giu;

/** "Flute-free jazz" is jazz; "free jazz" is a genre, and "a flute-free bed" is read as it stands. */
const FREE_OF = /(?<![\p{L}-])(\p{L}+)-free (?=(?:jazz|form|time|improv|tempo|verse)(?!\p{L}))/giu;

/** Spells out signs: "techno -drums -vocals +piano" becomes "techno, no drums, no vocals, piano". */
export function spellSigns(text: string): string {
  return text
    .replace(JOINED_UNIT, " ")
    .replace(FREE_OF, (all, thing: string) => (isMusical(thing) ? `no ${thing}, ` : all))
    .replace(SIGNED, (all, sign: string, first: string, second = "") => spelled(sign, first, second) ?? all);
}

/** Spells out a sign and the one or two words after it; undefined when the words are not about music. */
function spelled(sign: string, first: string, second: string): string | undefined {
  const lead = sign === "-" ? ", no " : ", ";
  if (second !== "" && isMusical(`${first} ${second}`)) return `${lead}${first} ${second}`;
  if (!isMusical(first)) return undefined;
  return second === "" ? lead + first : `${lead}${first}, ${second}`;
}

function isMusical(words: string): boolean {
  return VOICES.test(words) || (meaningOf(words)?.tags.length ?? 0) > 0;
}
