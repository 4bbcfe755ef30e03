import { meaningOf } from "./lexicon.ts";

/** "-drums" and "+piano" after a blank or before another, as in a search box; "- drums" is an item of a list. */
const SIGNED =
  /(?:(?<=[\p{L}\p{N})"][ \t,;|]+)|(?<![^\n])(?=[^\n]* [-+]\p{L}))([-+])(\p{L}[\p{L}&']*)(?: (\p{L}+))?(?![\p{L}'-])/gu;
const VOICES = /^(?:vocals?|vox|voices?|singing|lyrics|words)$/i;

/** "ninetybpm", "80sbpm": a unit joined to a word. */
const JOINED_UNIT = /(?<=\p{L}\p{L}|\ds)(?=b(?:pm|mp)s?(?!\p{L}))/giu;

/** "guitar-less", "bassless": without an instrument, and with a hyphen without anything of music. */
const LESS = /(?<![\p{L}-])(\p{L}{3,}?)([- ]?)less(?![\p{L}-])/giu;
/** "non-electronic dance music": the word that is denied is no part of a longer name. */
const DENIED = /(?<![\p{L}-])(?:non|anti|un)-(\p{L}+)(?= \p{L})/giu;
/** "unsexy", "undramatic" */
const UNLIKE = /(?<![\p{L}-])un-?(\p{L}{4,})(?![\p{L}-])/giu;

/** "Flute-free jazz" is jazz; "free jazz" is a genre, and "a flute-free bed" is read as it stands. */
const FREE_OF = /(?<![\p{L}-])(\p{L}+)-free (?=(?:jazz|form|time|improv|tempo|verse)(?!\p{L}))/giu;

/** Spells out signs: "techno -drums -vocals +piano" becomes "techno, no drums, no vocals, piano". */
export function spellSigns(text: string): string {
  return text
    .replace(JOINED_UNIT, " ")
    .replace(LESS, (all, thing: string, joint: string) =>
      isWithout(all, thing, joint) ? `${thing}-free` : all,
    )
    .replace(DENIED, (all, word: string) => (isMusical(word) ? `non-${word},` : all))
    .replace(UNLIKE, (all, word: string) => (isDenied(all, word) ? `non-${word}` : all))
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

function isWithout(whole: string, thing: string, joint: string): boolean {
  if (joint === "" && meaningOf(whole)) return false;
  const { tags = [] } = meaningOf(thing) ?? {};
  return joint === "-" ? tags.length > 0 : tags.some(({ category }) => category === "instruments");
}

const DESCRIPTIONS = new Set(["moods", "characters"]);

function isDenied(whole: string, word: string): boolean {
  const isDescription = meaningOf(word)?.tags.some(({ category }) => DESCRIPTIONS.has(category)) ?? false;
  return isDescription && (whole.includes("-") || !meaningOf(whole));
}

function isMusical(words: string): boolean {
  return VOICES.test(words) || (meaningOf(words)?.tags.length ?? 0) > 0;
}
