/** Something with a name that can be looked for, and other words for it. */
type Named = { id: string; name: string; words?: string };

/**
 * Returns the entries that fit a typed text, the best first: names that begin with it, then words that do, then what has each of
 * its words in the name or among the other words, then names that have its letters in their order. Among equals, the last used comes first. Without a text everything fits.
 */
export function ranked<Thing extends Named>(
  typed: string,
  things: readonly Thing[],
  recent: readonly string[],
): Thing[] {
  const wanted = typed.trim().toLowerCase();
  return things
    .map((thing, order) => {
      const used = recent.indexOf(thing.id);
      return {
        thing,
        order,
        fit: fitOf(thing, wanted),
        used: used < 0 ? recent.length : used,
      };
    })
    .filter(({ fit }) => fit !== undefined)
    .sort((a, b) => (a.fit ?? 0) - (b.fit ?? 0) || a.used - b.used || a.order - b.order)
    .map(({ thing }) => thing);
}

/** 0 is the best fit; undefined: none. */
function fitOf(thing: Named, wanted: string): number | undefined {
  const name = thing.name.toLowerCase();
  if (wanted === "" || name.startsWith(wanted)) return 0;
  const own = wordsIn(name);
  if (own.some((word) => word.startsWith(wanted))) return 1;
  const all = [...own, ...wordsIn(thing.words?.toLowerCase() ?? "")];
  if (wordsIn(wanted).every((part) => all.some((word) => word.startsWith(part)))) return 2;
  let at = -1;
  for (const letter of wanted) {
    at = name.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return 3;
}

const wordsIn = (text: string) => text.split(/[\s/(,.-]+/).filter(Boolean);
