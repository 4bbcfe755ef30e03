/** A range with open ends: null is "any". */
export type OpenRange = { min: number | null; max: number | null };

const JUST_UNDER_BEFORE =
  /\b(?:just|slightly|a (?:little|bit|touch)) (?:under|below|shy of|short of|less than)\s*$/;
const JUST_OVER_BEFORE = /\b(?:just|slightly|a (?:little|bit|touch)) (?:over|above|more than|past)\s*$/;
const REFUSAL =
  "(?:(?:should|does|must|ca|wo|would|do|did|may|need|is)(?:n'?t| not|nnot| ?not)|can ?not|cant|never|not|nothing) (?:(?:be|go|run|last|get|ever|drop|fall|feel|really|any|come in|clock in|stretch) )*";
const REFUSED_OVER_BEFORE = new RegExp(
  `\\b${REFUSAL}(?:over|above|exceed(?:ing)?|beyond|past|(?:longer|more|faster|higher) than)\\s*(?:the\\s|a\\s)?$`,
);
const REFUSED_UNDER_BEFORE = new RegExp(
  `\\b${REFUSAL}(?:under|below|beneath|(?:shorter|less|slower|lower|fewer) than)\\s*(?:the\\s|a\\s)?$`,
);
const NOT_UNDER_BEFORE =
  /\b(?:not|never|nothing|no|isn't) (?:be |go |drop )?(?:under|below|beneath|(?:any )?(?:shorter|slower|less|fewer|lower) than)\s*$/;
const AT_MOST_BEFORE =
  /(?:\bsub|\bunder|\bbelow|\bbeneath|\bless than|\bfewer than|\bshorter than|\bslower than|\b(?:no|not) (?:more|longer|faster|higher) than|\b(?:not|never|nothing|isn't) (?:over|above|exceed(?:ing)?|beyond|past|any (?:longer|faster) than|(?:be )?longer than|(?:be )?faster than)|\bat (?:the )?(?:most|max(?:imum)?|longest)|\bmax(?:imum|\.)?(?: of| is| length| duration)?:?|\bup to|\bwithin|\bcapped at|\bcap(?: of| at| it at)?:?|\btops:?|<=?|≤)[\s-]*(?:the\s|a\s)?$/;
const AT_LEAST_BEFORE =
  /(?:\bover|\babove|\bmore than|\blonger than|\bfaster than|\b(?:no|not) (?:less|shorter|slower|lower) than|\b(?:not|never|nothing) (?:under|below|(?:be )?slower than|(?:be )?shorter than)|\bat (?:the )?least|\bmin(?:imum|\.)?(?: of| is| length| duration)?:?|\bupwards? of|\bnorth of|\bstarting (?:at|from)|\bbeyond|\bexceed(?:s|ing)?|>=?|≥)\s*(?:the\s|a\s)?$/;
const ABOUT_BEFORE =
  /(?:\baround|\babout|\bapprox(?:imately|\.)?|\bcirca|\bca\.?|\broughly|\bnearly|\balmost|\bnear|~|\bsay|\bclose to|\bballpark|\bin the region of|\bsomewhere (?:near|around|about)|\bish|\bc\.|\bthereabouts|\bcall it|\bgive or take|\bmaybe|\bin the neighbou?rhood of)\s*(?:the\s*|a\s*)?$/;
const AT_MOST_AFTER =
  /^[\s-]*(?:max(?:imum)?\b|tops\b|at (?:the )?most\b|or (?:less|under|below|shorter|slower|lower)\b|and (?:under|below|slower|shorter)\b|limit\b|ceiling\b|cap\b)/;
const AT_LEAST_AFTER =
  /^[\s-]*(?:\+(?!\s*[/\d:-])|plus\b(?! or)|min(?:imum)?\b(?! \d)|(?:or|and) (?:more|over|above|longer|faster|up|upwards?|higher)\b|upwards?\b|at least\b)/;
const ABOUT_AFTER =
  /^[\s-]*(?:ish\b|or so\b|give or take\b|more or less\b|or thereabouts\b|approx\b|approximately\b|roughly\b)/;
const TOLERANCE_AFTER = /^\s*[([]?\s*(?:\+\s*\/?\s*-|±|plus or minus|give or take)\s*(\d+)/;

/** Whether the words around a number make it the most or the least. */
function limitOf(before: string, after: string): "most" | "least" | undefined {
  // Refusals first: "not longer than" holds "longer than".
  if (REFUSED_OVER_BEFORE.test(before)) return "most";
  if (NOT_UNDER_BEFORE.test(before) || REFUSED_UNDER_BEFORE.test(before)) return "least";
  if (AT_MOST_BEFORE.test(before) || AT_MOST_AFTER.test(after)) return "most";
  if (AT_LEAST_BEFORE.test(before) || AT_LEAST_AFTER.test(after)) return "least";
  return undefined;
}

/**
 * Returns the range that a single number means with the words around it: "under 90", "90 or more", "about 90",
 * "90 +/- 5", or exactly 90.
 *
 * @param slack How far "about" reaches to either side.
 */
export function qualify(value: number, before: string, after: string, slack: number): OpenRange {
  const near = before.slice(-40);
  const tolerance = Number(TOLERANCE_AFTER.exec(after)?.[1] ?? 0);
  if (tolerance > 0) return { min: value - tolerance, max: value + tolerance };
  if (JUST_UNDER_BEFORE.test(near)) return { min: value - slack, max: value };
  if (JUST_OVER_BEFORE.test(near)) return { min: value, max: value + slack };
  const limit = limitOf(near, after);
  if (limit) return limit === "most" ? { min: null, max: value } : { min: value, max: null };
  const isAbout = ABOUT_BEFORE.test(near) || ABOUT_AFTER.test(after);
  const reach = isAbout ? slack : 0;
  return { min: value - reach, max: value + reach };
}

const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  "a couple of": 2,
  "couple of": 2,
  "a couple": 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  "forty-five": 45,
  "forty five": 45,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  half: 0.5,
};
const BY_LENGTH = Object.keys(WORDS).toSorted((a, b) => b.length - a.length);
const SMALL = "one|two|three|four|five|six|seven|eight|nine";

/** Source of a regular expression for a number in digits or in words. */
export const NUMBER = `(?:\\d{1,2} (?:1\\/2|1\\/4|3\\/4)|\\d+(?:[.,]\\d+)?|\\d?[½¼¾]|half an?|(?:${SMALL}|a|\\d+) and a half|(?:twenty|thirty|forty|fifty)-(?:${SMALL})|${BY_LENGTH.join("|")})`;

const FRACTIONS: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75 };

/** Reads what {@link NUMBER} matches. */
export function readNumber(text: string): number {
  const fraction = FRACTIONS[text.at(-1) ?? ""];
  if (fraction !== undefined) return Number(text.slice(0, -1) || 0) + fraction;
  const written = /^(\d+) (\d)\/(\d)$/.exec(text);
  if (written) return Number(written[1]) + Number(written[2]) / Number(written[3]);
  if (text.startsWith("half")) return 0.5;
  if (text.endsWith(" and a half")) return readNumber(text.slice(0, -" and a half".length)) + 0.5;
  const known = WORDS[text];
  if (known !== undefined) return known;
  const [tens, ones] = text.split("-");
  if (ones !== undefined) return (WORDS[tens ?? ""] ?? 0) + (WORDS[ones] ?? 0);
  return Number(text.replace(",", "."));
}
