import type { FindPerson } from "./fact-wish.ts";
import { intoEnglish } from "./glossary.ts";
import { findMentions } from "./mentions.ts";
import { plainOf, tokensOf } from "./text.ts";
import { isSmallWord } from "./unread.ts";

/** Returns the instrument or the voices that a text names, with the categories and names of its tags; nothing for other words. */
export const findInstrument: FindPerson = (_, text) => {
  const tokens = tokensOf(plainOf(intoEnglish(text, true).text));
  const [mention, ...others] = findMentions(tokens, [], true);
  const tags = mention?.tags.filter(
    ({ category }) => category === "instruments" || category === "vocalTypes",
  );
  const [first] = tags ?? [];
  if (!mention || !tags || !first || others.length > 0) return undefined;
  // "Piano and" goes on.
  if (mention.end !== tokens.at(-1)?.end) return undefined;
  const left = tokens.filter(({ start }) => start < mention.start);
  if (!left.every(({ word }) => isSmallWord(word))) return undefined;
  return { name: first.entry.name, stored: tags.map(({ category, entry }) => `${category} ${entry.name}`) };
};
