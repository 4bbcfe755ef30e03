/** Something with a name that can be looked for. */
type Named = { id: string; name: string };

/**
 * Returns what fits a typed text, the best first: names that begin with it, then words that do, then names that have its
 * letters in their order. Among equals, what was used last comes first. Without a text everything fits.
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
        fit: fitOf(thing.name.toLowerCase(), wanted),
        used: used < 0 ? recent.length : used,
      };
    })
    .filter(({ fit }) => fit !== undefined)
    .sort((a, b) => (a.fit ?? 0) - (b.fit ?? 0) || a.used - b.used || a.order - b.order)
    .map(({ thing }) => thing);
}

/** 0 is the best fit; undefined: none. */
function fitOf(name: string, wanted: string): number | undefined {
  if (wanted === "" || name.startsWith(wanted)) return 0;
  if (name.split(/[\s/(,.-]+/).some((word) => word.startsWith(wanted))) return 1;
  let at = -1;
  for (const letter of wanted) {
    at = name.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return 2;
}
