import { type Span, spanOf } from "./text.ts";

/** Where a brief takes something back: spans of what is unwanted, and of what is said not to matter. */
export type Scopes = { unwanted: readonly Span[]; indifferent: readonly Span[] };

/** Says that something is not needed: it is then neither wanted nor unwanted. */
const INDIFFERENCE =
  /\b(?:(?:do|does|need|would)(?:n't| not) (?:have to|need to|need|necessarily|mind)|not necessarily|no need (?:for|to)|need not|no matter)\b/g;

/** Looks like a negation and is none. */
const FALSE_NEGATION =
  /\b(?:not (?:only|just|sure|yet)|no (?:wait|problem|worries|doubt|preference)|no (?:more|less|longer|shorter|slower|faster) than)\b/g;

const NEGATION = new RegExp(
  `\\b(?:${[
    "no|not|non|without|w/o|sans|never|nothing|nor|neither|none of|zero|minus|except(?: for)?|excluding|exclude",
    "avoid(?:ing)?|hates?|hated|dislikes?|instead of|rather than|anything but|other than|free of|steer clear of",
    "less|fewer|tried|(?:ca|is|are|wo|should|must|do|does|did)n't(?: want| like| be)?|can ?not|skip the|lose the",
  ].join("|")})(?![a-z'])`,
  "g",
);

/** Ends a negation: the end of the phrase, or a word that turns back to what is wanted. */
const END =
  /[.;:!?|()\n]|,(?!\s*(?:or|nor)\b)|\s-\s|\b(?:but|just|only|yet|though|until|please|more|instead|with|so)\b/;
/** The words next to the negation belong to it whatever they are: "nothing with guitars", "not so loud". */
const NEXT_WORD = /^\s*[^\s,.;:!?|()]*/;

/** Finds the negations of a brief, given as plain text. */
export function findScopes(plain: string): Scopes {
  const indifferent = scopesAfter(plain, [...plain.matchAll(INDIFFERENCE)].map(spanOf));
  const innocent = [...plain.matchAll(FALSE_NEGATION)].map(spanOf);
  const cues = [...plain.matchAll(NEGATION)]
    .map(spanOf)
    .filter(({ start }) => !isWithin([...indifferent, ...innocent], start));
  return { unwanted: scopesAfter(plain, cues), indifferent };
}

/** True when a place lies in one of the spans. */
export function isWithin(spans: readonly Span[], at: number): boolean {
  return spans.some(({ start, end }) => at >= start && at < end);
}

function scopesAfter(plain: string, cues: readonly Span[]): Span[] {
  return cues.map(({ start, end }) => {
    const rest = plain.slice(end);
    const next = NEXT_WORD.exec(rest)?.[0].length ?? 0;
    const stop = rest.slice(next).search(END);
    return { start, end: stop === -1 ? plain.length : end + next + stop };
  });
}
