import type { Span } from "./text.ts";

/** How much a wish counts, 0 to 1, by the words around it. */
const PLAIN = 0.8;
const STRONG = 1;
const SLIGHT = 0.5;

const SLIGHTLY =
  /\b(?:slightly|somewhat|kind of|kinda|sort of|vaguely|maybe|perhaps|possibly|mildly|subtly|a (?:little|bit|touch|hint|tad|dash|sprinkle|pinch|splash|shade)(?: bit)?(?: of)?|hints? of|touch(?:es)? of|traces? of|elements of|could (?:have|be|use)|can (?:have|be)|ideally|if possible|optionally|semi|quasi|almost|not necessarily|open to|tinges? of|flavou?rs? of|undertones? of)[\s-]*(?:(?:some|a|an|any|the|with|of|more|very)\s+){0,2}(?:[\p{L}-]+\s+){0,1}$/u;
const STRONGLY =
  /\b(?:very|really|super|extremely|incredibly|totally|utterly|deeply|seriously|absolutely|properly|ultra|mega|hugely|must (?:have|be)|has to (?:have|be)|needs? to (?:have|be)|essential(?:ly)?|lots? of|loads of|plenty of|above all|most of all|especially|particularly|crucially|definitely|full[- ]on|proper|so|as [\p{L}]+ as|heavy on|all about|max(?:imum)?)[\s-]*(?:(?:some|a|an|the|with|of)\s+){0,2}$/u;
const WELCOME =
  /^[\s,]*(?:(?:is|are|would be|could be|might be)\s+)?(?:a (?:plus|bonus)|optional|nice to have|welcome|ok(?:ay)?|fine|good too|if possible|possibly|maybe|at most|allowed|acceptable|if needed|-?ish|-tinged|-inflected|undertones?|hints?|edges?)\b/;

/** Returns how much what stands at the span is wished for: hedges weaken it, "very" and "must have" strengthen. */
export function strengthOf(plain: string, { start, end }: Span): number {
  const before = phraseBefore(plain, start);
  if (SLIGHTLY.test(before) || WELCOME.test(plain.slice(end, end + 30))) return SLIGHT;
  return STRONGLY.test(before) ? STRONG : PLAIN;
}

const REACH = 40;

function phraseBefore(plain: string, start: number): string {
  const near = plain.slice(Math.max(0, start - REACH), start);
  return near.slice(near.search(/[^|,.;:!?()\n]*$/));
}
