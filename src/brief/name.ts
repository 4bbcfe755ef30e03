/** One word of a name: "AC/DC" counts as two, "St." and "J." keep their full stop, "50" needs a word after it. */
const NAME_WORD =
  /(?!I\b|I['’])\p{Lu}[\p{L}\p{N}'’&$!-]*(?:\.[\p{L}\p{N}]+)*|\d+[\p{Lu}\p{Ll}]*(?= \p{Lu})/uy;
const SHORTENED = /(?<=(?<!\p{L})(?:\p{Lu}|St|Dr|Mr|Jr|Ms))\./uy;
/** Words of other languages that join the parts of one name: "Paco de Lucía". */
const PARTICLES = [
  "af al av bin da dal das de del della den der des di do dos du el het ibn la las le los ten ter van von vom zu zum",
].flatMap((words) => words.split(" "));
const NAME_JOINT = new RegExp(
  String.raw`[ \t]+(?:(?:of|the|and|&|\+|y|${PARTICLES.join("|")})\s+){0,2}`,
  "uy",
);
const NAME_NUMBER = / \d+(?![\d:]| ?(?:bpm|bmp|min|sec|s\b))/uy;
const MOST_NAME_WORDS = 6;

/** True for a word that joins the parts of a name in another language, whatever its case. */
export const isParticle = (word: string): boolean => PARTICLES.includes(word.toLowerCase());

/** Returns the end of the capitalised name that begins at a place; undefined when no name begins there. */
export function nameEnd(text: string, at: number): number | undefined {
  let end = wordEnd(text, stepped(/[Tt]he /y, text, at) ?? at) ?? wordEnd(text, at);
  if (end === undefined) return undefined;
  for (let words = 1; words < MOST_NAME_WORDS; words++) {
    const joint = stepped(NAME_JOINT, text, end);
    const next: number | undefined = joint === undefined ? undefined : wordEnd(text, joint);
    if (next === undefined) break;
    end = next;
  }
  return stepped(NAME_NUMBER, text, end) ?? end;
}

function wordEnd(text: string, at: number): number | undefined {
  const end = stepped(NAME_WORD, text, at);
  return end === undefined ? undefined : (stepped(SHORTENED, text, end) ?? end);
}

/** Returns the end of a sticky pattern's match at a place. */
function stepped(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
