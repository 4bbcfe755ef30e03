const MAX_NAMES = 3;

/** Words that models use for one another. */
const ALIKE: readonly (readonly string[])[] = [
  ["bpm", "tempo"],
  ["limit", "count", "max", "size", "top"],
  ["name", "title"],
  ["query", "brief", "name", "prompt", "q", "search", "text", "title"],
  ["since", "after", "from", "start"],
  ["sort", "order"],
  ["tag", "character", "era", "genre", "instrument", "mood", "movement", "style", "theme"],
  ["until", "before", "end", "to"],
  ["url", "address", "link", "uri"],
  ["vocal", "instrumental"],
];

type Words = readonly string[];

/** How a name may be near another, the nearest way first. */
const WAYS: readonly ((wanted: Words, known: Words) => boolean)[] = [
  (wanted, known) => wanted.join("") === known.join(""),
  (wanted, known) => wanted.toSorted().join(" ") === known.toSorted().join(" "),
  (wanted, known) => isTypo(wanted.join(""), known.join("")),
  (wanted, known) => contains(known, wanted, isSame),
  (wanted, known) => contains(wanted, known, isSame),
  (wanted, known) => contains(known, wanted, isAlike) && contains(wanted, known, isAlike),
  (wanted, known) => contains(known, wanted, isAlike),
  (wanted, known) => contains(wanted, known, isAlike),
];

/**
 * Returns the names of `known` that `name` most likely means, at most three; none when it is near nothing. It sees through
 * another way of writing (`bpm_max`), singular and plural, another order of the words, a wrong letter, missing words and
 * words that mean the same. Of a path such as `audioProfile.genres` the last name counts.
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = wordsOf(name.slice(0, 60));
  for (const isNear of WAYS) {
    const near = known.filter((each) => isNear(wanted, wordsOf(each.slice(each.lastIndexOf(".") + 1))));
    if (near.length > 0) return near.slice(0, MAX_NAMES);
  }
  return [];
}

/** The words of a name in any way of writing, lower case and singular. */
function wordsOf(name: string): Words {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z\d]+/g);
  return (words ?? []).map((word) => word.replace(/(?<=\w\w[^s])s$/, ""));
}

function contains(all: Words, some: Words, isMatch: (one: string, other: string) => boolean): boolean {
  return some.length > 0 && some.every((word) => all.some((other) => isMatch(word, other)));
}

const isSame = (one: string, other: string) => one === other;
const isAlike = (one: string, other: string) =>
  one === other || ALIKE.some((group) => group.includes(one) && group.includes(other));

/** True when one letter was added, left out or replaced, or two were swapped. */
function isTypo(wanted: string, known: string): boolean {
  const shorter = Math.min(wanted.length, known.length);
  let start = 0;
  while (start < shorter && wanted[start] === known[start]) start++;
  let end = 0;
  while (end < shorter - start && wanted.at(-1 - end) === known.at(-1 - end)) end++;
  const [one, other] = [wanted.slice(start, wanted.length - end), known.slice(start, known.length - end)];
  const isSwap = one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0];
  return shorter > 3 && ((one.length < 2 && other.length < 2) || isSwap);
}
