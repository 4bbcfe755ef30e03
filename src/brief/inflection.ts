const MOOD_LETTERS = 6;

/**
 * Yields the words that a folded word may be a form of: the singular of a plural ("string" for "strings") and, for
 * longer words, the base of an adjective ("moody" for "moodier", "dark" for "darkly").
 */
export function* stemsOf(key: string): Generator<string> {
  if (key.endsWith("ies")) yield `${key.slice(0, -3)}y`;
  if (key.endsWith("es")) yield key.slice(0, -2);
  if (key.endsWith("s") && !key.endsWith("ss")) yield key.slice(0, -1);
  if (key.length >= MOOD_LETTERS) yield* adjectivesOf(key);
}

function* adjectivesOf(key: string): Generator<string> {
  for (const ending of ["iest", "ier", "ily", "iness"])
    if (key.endsWith(ending)) yield `${key.slice(0, -ending.length)}y`;
  for (const ending of ["est", "er", "ly", "ness", "ish"]) {
    if (!key.endsWith(ending)) continue;
    const stem = key.slice(0, -ending.length);
    yield stem;
    // "nicer" of "nice", "sadder" of "sad".
    yield `${stem}e`;
    if (stem.at(-1) === stem.at(-2)) yield stem.slice(0, -1);
  }
}
