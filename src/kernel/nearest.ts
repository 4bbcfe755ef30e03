import { slipsBetween } from "./slips.ts";

const MAX_NAMES = 3;

/** Words that callers, assistants above all, often confuse. */
const ALIKE: readonly (readonly string[])[] = [
  ["bpm", "tempo"],
  ["description", "desc", "note"],
  ["limit", "count", "max", "size", "top"],
  ["max", "highest", "maximum", "upper"],
  ["min", "lowest", "lower", "minimum"],
  ["name", "title"],
  ["query", "brief", "keyword", "name", "prompt", "q", "search", "text", "title"],
  ["since", "after", "from", "start"],
  ["sort", "order"],
  ["tag", "character", "era", "genre", "instrument", "mood", "movement", "style", "theme"],
  ["until", "before", "end", "to"],
  ["url", "address", "link", "uri"],
  ["vocal", "instrumental"],
];

/**
 * Words that do not say which argument is meant. Any other word has a meaning of its own: `bpm_max` is not the `limit` of
 * what knows no tempo.
 */
const FILLERS = new Set(
  "by composer date day filter for id in list number of page playlist result text the time track value version".split(
    " ",
  ),
);

type Words = readonly string[];

/** The ways in which a name may be near another, closest first. */
const WAYS: readonly ((wanted: Words, known: Words) => boolean)[] = [
  (wanted, known) => wanted.join("") === known.join(""),
  (wanted, known) => wanted.toSorted().join(" ") === known.toSorted().join(" "),
  (wanted, known) => isTypo(wanted.join(""), known.join("")),
  (wanted, known) => isAlike(wanted.join(""), known.join("")),
  (wanted, known) => contains(known, wanted, isSame),
  (wanted, known) => contains(wanted, known, isSame) && saysNoMore(wanted, known, isSame),
  (wanted, known) => contains(known, wanted, isAlike) && contains(wanted, known, isAlike),
  (wanted, known) => contains(known, wanted, isAlike),
  (wanted, known) => contains(wanted, known, isAlike) && saysNoMore(wanted, known, isAlike),
];

/**
 * Returns the names in `known` that `name` most likely means, at most three; an empty list when no name is near. It
 * recognises another spelling style (`bpm_max`), singular and plural, another order of words, a wrong letter,
 * missing words and synonyms. For a path such as `audioProfile.genres` only the last name counts.
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = wordsOf(name.slice(0, 60));
  for (const isNear of WAYS) {
    const near = known.filter((each) => isNear(wanted, wordsOf(each.slice(each.lastIndexOf(".") + 1))));
    if (near.length > 0) return near.slice(0, MAX_NAMES);
  }
  return [];
}

/** Returns the words of a name in any spelling style, in lower case and singular. */
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

/** True when the words of `all` that `some` lacks have no meaning of their own. */
function saysNoMore(all: Words, some: Words, isMatch: (one: string, other: string) => boolean): boolean {
  return all.every((word) => FILLERS.has(word) || some.some((other) => isMatch(word, other)));
}

const isSame = (one: string, other: string) => one === other;
const isAlike = (one: string, other: string) =>
  one === other || ALIKE.some((group) => group.includes(one) && group.includes(other));

/** True when one letter is added, missing or replaced, or two are swapped. */
const isTypo = (wanted: string, known: string) =>
  Math.min(wanted.length, known.length) > 3 && slipsBetween(wanted, known, 1) === 1;

/** Returns `did you mean a, b or c?`. */
export function didYouMean(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return `did you mean ${others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`}?`;
}
