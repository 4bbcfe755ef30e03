/** A place in the prose: UTF-16 offsets, the end exclusive. */
export type Span = { start: number; end: number };

/** Words before a wish that only strengthen or weaken it. */
const STRENGTH = /\b(?:must[- ]have|must be|very|really|slightly|maybe|perhaps|ideally|some|a bit)\s+$/i;
/** Words that are left hanging at the end of a clause when the wish after them was taken out. */
const LEADING = [
  ...[
    "and",
    "or",
    "but",
    "with",
    "without",
    "no",
    "not",
    "in",
    "at",
    "about",
    "around",
    "a",
    "an",
    "the",
    "for",
  ],
  ...["like", "in the style of", "in the vein of", "similar to", "for fans of", "&"],
];
const HANGING_AFTER = new RegExp(`\\s*\\b(?:${LEADING.join("|")})\\s*(?=[,.;!?\n]|$)`, "gi");
/** Words that are left hanging at the beginning of a clause. */
const HANGING_BEFORE = /(?<=^|[,.;!?\n]\s?)(?:and|or|but|with|plus|&)(?:\s+|$)/gi;

/** Returns the prose without the words of some places, and without what would be left hanging. */
export function cut(prose: string, spans: readonly Span[]): string {
  return tidied(replaced(prose, spans, ""));
}

/** Returns the prose with other words in the first of some places; the other places are taken out. */
export function reword(prose: string, spans: readonly Span[], words: string): string {
  const [first, ...others] = spans;
  if (!first) return added(prose, words);
  const before = prose.slice(0, first.start).replace(STRENGTH, "");
  const shift = first.start - before.length;
  const text = before + words + prose.slice(first.end);
  const by = words.length - (first.end - first.start) - shift;
  return tidied(
    replaced(
      text,
      others.map(({ start, end }) => ({ start: start + by, end: end + by })),
      "",
    ),
  );
}

/** Returns the prose with one more wish. It comes first: what follows "no" could be read as ruled out too. */
export function added(prose: string, words: string): string {
  const rest = prose.trim();
  return rest === "" ? words : `${words}, ${rest}`;
}

/** Returns the prose with something ruled out at its end. */
export function ruledOut(prose: string, words: string): string {
  const rest = prose.trim().replace(/[,.;\s]+$/, "");
  return rest === "" ? `no ${words}` : `${rest}, no ${words}`;
}

function replaced(prose: string, spans: readonly Span[], words: string): string {
  return spans
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => {
      const before = text.slice(0, start).replace(STRENGTH, "");
      return before + words + text.slice(end);
    }, prose);
}

function tidied(prose: string): string {
  let text = prose;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .replace(/[^\S\n]{2,}/g, " ")
      .replace(HANGING_BEFORE, "")
      .replace(HANGING_AFTER, "")
      .replace(/\b(and|or|with|without|no|not|in|for|like)\s+(?:and|or|&)\s/gi, "$1 ")
      .replace(/\s+([,.;!?])/g, "$1")
      .replace(/([,;])(?:\s*[,;])+/g, "$1")
      .replace(/^[\s,.;]+|[\s,;]+$/g, "");
  }
  return text;
}
