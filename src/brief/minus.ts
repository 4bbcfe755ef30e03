import { meaningOf } from "./lexicon.ts";

/** "-drums" and "+piano" after a blank, as a search box takes them; "- drums" is an item of a list. */
const SIGNED = /(?<=[\p{L}\p{N})"][ \t,;|]+)([-+])(\p{L}[\p{L}&']*)(?: (\p{L}+))?(?![\p{L}'-])/gu;
const VOICES = /^(?:vocals?|vox|voices?|singing|lyrics|words)$/i;

/** "ninetybpm", "80sbpm": a unit joined to a word. */
const JOINED_UNIT = /(?<=\p{L}\p{L}|\ds)(?=b(?:pm|mp)s?(?!\p{L}))/giu;

/** Writes signs out: "techno -drums -vocals +piano" is "techno, no drums, no vocals, piano". */
export function spellSigns(text: string): string {
  return text
    .replace(JOINED_UNIT, " ")
    .replace(SIGNED, (all, sign: string, first: string, second = "") => spelled(sign, first, second) ?? all);
}

/** The sign with the thing of one or two words that it stands before; undefined when that is no music. */
function spelled(sign: string, first: string, second: string): string | undefined {
  const lead = sign === "-" ? ", no " : ", ";
  if (second !== "" && isMusical(`${first} ${second}`)) return `${lead}${first} ${second}`;
  if (!isMusical(first)) return undefined;
  return second === "" ? lead + first : `${lead}${first}, ${second}`;
}

function isMusical(words: string): boolean {
  return VOICES.test(words) || (meaningOf(words)?.tags.length ?? 0) > 0;
}
