import { tagsNamed } from "./lexicon.ts";
import { isWithin, type Scopes } from "./scopes.ts";
import type { Span } from "./text.ts";

/** An artist whose sound the brief asks for. */
export type Reference = { name: string; span: Span };
/** Returns the artist's name as the library spells it, or undefined when the library has nothing by that artist. */
export type FindArtist = (name: string) => string | undefined;

const LEAD =
  "(?:like|similar to|reminiscent of|inspired by|obsessed with|à la|a la|think|in the (?:style|vein|lane|spirit|mould|mold|manner) of)";
const PERIOD = "(?:(?:early|late|mid|old|classic|vintage|recent|peak)[- ](?:period )?|a |an )*";
const CAPITALISED = "(?!I\\b)[\\p{Lu}][\\p{L}\\p{N}.'’&$-]*";
const NAME = `(?:[Tt]he )?${CAPITALISED}(?:\\s+(?:(?:of|the|and|&|de|la|del|van|von|y)\\s+){0,2}${CAPITALISED})*`;
const AFTER_LEAD = new RegExp(`(?<![\\p{L}])${LEAD}\\s+${PERIOD}`, "giu");
const NAME_HERE = new RegExp(`^${NAME}`, "u");
const BEFORE_SUFFIX = new RegExp(`(${NAME})(?:[- ]?esque|[- ]type beat|[- ]inspired)(?![\\p{L}])`, "gu");
const LOWER_NAME = /^[^\s,.;:!?|()]+(?:\s+[^\s,.;:!?|()]+){0,3}/u;

/**
 * Finds the artist that the music should be like: a capitalised name after "like", "in the style of" and so on, or
 * any words there that are the name of an artist of the library.
 *
 * @param text The brief in its own case, with the same offsets as the scopes.
 */
export function findReference(text: string, scopes: Scopes, findArtist: FindArtist): Reference | undefined {
  for (const lead of text.matchAll(AFTER_LEAD)) {
    if (isWithin(scopes.unwanted, lead.index)) continue;
    const start = lead.index + lead[0].length;
    const reference = ownName(text, start, findArtist) ?? capitalisedName(text, start);
    if (reference) return reference;
  }
  for (const match of text.matchAll(BEFORE_SUFFIX)) {
    const reference = match[1] && capitalisedName(text, match.index);
    if (reference && !isWithin(scopes.unwanted, match.index)) return reference;
  }
  return undefined;
}

/** The longest run of words from here that is an artist of the library. */
function ownName(text: string, start: number, findArtist: FindArtist): Reference | undefined {
  const words = LOWER_NAME.exec(text.slice(start))?.[0].split(/(?<=\S)(?=\s)/) ?? [];
  for (let count = words.length; count > 0; count--) {
    const candidate = words.slice(0, count).join("");
    const name = findArtist(candidate);
    if (name !== undefined) return { name, span: { start, end: start + candidate.length } };
  }
  return undefined;
}

function capitalisedName(text: string, start: number): Reference | undefined {
  const match = NAME_HERE.exec(text.slice(start));
  if (!match) return undefined;
  const name = match[0]
    .replace(/[-.'’&]+$/, "")
    .replace(/^the /, "")
    .replace(/(?:['’]s)$/, "")
    .replace(/-?esque$/, "");
  // "like Techno" asks for a genre.
  if (name.length < 2 || tagsNamed(name).length > 0) return undefined;
  return { name, span: { start, end: start + match[0].length } };
}
