import { query, useQuery } from "../api/queries.ts";
import { ranked } from "../ui/ranking.ts";

const MAX_OFFERED = 30;

/** The words that tracks can be tagged with. They change with the program alone. */
const taxonomyQuery = query("/app/library/taxonomy", {}, {});

/**
 * Returns the tags of the taxonomy that fit the typed text, the best first; none for an empty field. Undefined: they are not
 * here yet.
 */
export function useTagNames(typed: string): string[] | undefined {
  const { data } = useQuery(taxonomyQuery);
  if (!data) return undefined;
  if (typed.trim() === "") return [];
  const all = Object.entries(data.data)
    .filter(([category]) => category !== "tempos")
    .flatMap(([, tags]) => tags.map(({ name }) => ({ id: name, name })));
  const names = ranked(typed, all, []).map(({ name }) => name);
  return [...new Set(names)].slice(0, MAX_OFFERED);
}

/** A line of a list of tags: an existing tag, or a new one made of the typed text. */
export type TagOption = { id: string; text: string; name: string; isNew?: boolean };

/**
 * Returns the lines for a typed tag: the words with a part that begins with it, and the typed word itself on a line of its own
 * where it is not among them. Words that only have its letters come last.
 */
export function tagOptions(typed: string, names: readonly string[] | undefined, verb: string): TagOption[] {
  // Enter must not make a new word of one that is about to be found.
  if (names === undefined) return [];
  const word = typed.trim().replace(/\s+/g, " ");
  const wanted = word.toLowerCase();
  if (wanted === "") return names.map(toOption);
  const begins = names.filter((name) => ` ${name.toLowerCase()}`.includes(` ${wanted}`));
  const isKnown = names.some((name) => name.toLowerCase() === wanted);
  const own = { id: "new", text: `${verb} “${word}”`, name: word, isNew: true };
  const others = names.filter((name) => !begins.includes(name));
  return [...begins.map(toOption), ...(isKnown ? [] : [own]), ...others.map(toOption)];
}

const toOption = (name: string): TagOption => ({ id: name.replace(/\W/g, "-"), text: name, name });
