import { foldTag } from "../../db/taxonomy/fold.ts";
import type { Wish } from "./interpretation.ts";
import type { Reading } from "./match.ts";
import type { TaxonomyTag } from "./meaning.ts";
import type { Mention } from "./mentions.ts";
import type { Scopes } from "./scopes.ts";
import { strengthOf } from "./strength.ts";
import { isWithin, type Span } from "./text.ts";

/** A scene's suggestion counts less than a named tag. */
const SUGGESTED = 0.4;
/** A reference's usual sound counts even less. */
const BY_ARTIST = 0.3;

/** Mentions as wishes: wanted and unwanted. */
export type Wishes = { wanted: Wish[]; unwanted: Wish[] };

/** Sorts the mentions into wanted and unwanted; a tag rejected anywhere is not wanted. */
export function sortMentions(mentions: readonly Mention[], scopes: Scopes, reading: Reading): Wishes {
  const plain = reading.text;
  const relevant = mentions.filter(
    (mention) =>
      !isWithin(scopes.indifferent, mention.start) &&
      !isWithin(scopes.denials, mention.start) &&
      !isNoVoice(mention, plain),
  );
  // "No pulse" is itself a form of a tag; findVoice reads "no vocals".
  const isUnwanted = (mention: Mention) =>
    isWithin(scopes.unwanted, mention.start) && !/^(?:no|non|without)\b/.test(wordsAt(mention, plain));
  const taken = relevant.filter((mention) => isUnwanted(mention) && mention.tags.length > 0);
  const kept = relevant.filter((mention) => !isUnwanted(mention));
  const isTakenBack = (tag: TaxonomyTag, words: string) =>
    taken.some(
      (other) =>
        other.tags.some(({ entry }) => entry.id === tag.entry.id) &&
        takesBack(other, wordsAt(other, plain), words, tag),
    );
  const named = kept.map(
    (mention): Wish => ({
      tags: mention.tags.filter((tag) => !isTakenBack(tag, wordsAt(mention, plain))),
      weight: strengthOf(reading, mention),
      source: "prose",
      spans: [spanIn(mention)],
    }),
  );
  const wanted = withoutRepeats(named.filter(({ tags }) => tags.length > 0));
  const wantedIds = new Set(wanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.id)));
  const takenIds = new Set(taken.flatMap(({ tags }) => tags.map(({ entry }) => entry.id)));
  const isLeft = ({ entry }: TaxonomyTag) => !takenIds.has(entry.id);
  const refused = taken.map(
    ({ tags, ...span }): Wish => ({
      tags: tags.filter(({ entry }) => !wantedIds.has(entry.id)),
      weight: strengthOf(reading, span),
      source: "prose",
      spans: [spanIn(span)],
    }),
  );
  const suggested = suggestions(kept, wanted, isLeft);
  return {
    wanted: [...wanted, ...suggested],
    unwanted: withoutRepeats(refused.filter(({ tags }) => tags.length > 0)),
  };
}

function isNoVoice(mention: Mention, plain: string): boolean {
  const isInstrumental = mention.tags.some(
    ({ category, entry }) => category === "vocalTypes" && entry.code === "instrumental",
  );
  return isInstrumental && /^(?:no|non|without)\b/.test(wordsAt(mention, plain));
}

/** Merges repeated wishes into one with the highest weight. */
function withoutRepeats(wishes: readonly Wish[]): Wish[] {
  const apart = new Map<string, Wish>();
  for (const wish of wishes) {
    const key = wish.tags.map(({ entry }) => entry.id).join();
    const known = apart.get(key);
    const spans = [...(known?.spans ?? []), ...(wish.spans ?? [])];
    apart.set(key, { ...wish, weight: Math.max(wish.weight, known?.weight ?? 0), spans });
  }
  return [...apart.values()];
}

const spanIn = ({ start, end }: Span): Span => ({ start, end });

const wordsAt = ({ start, end }: Mention, plain: string): string => plain.slice(start, end);

/**
 * "No trap hats" also rejects "trap", and "not dark" also rejects "gloomy". "Creepy, nothing gory" still wants it
 * creepy, although both words name the same tag.
 */
function takesBack(refused: Mention, words: string, wanted: string, { entry }: TaxonomyTag): boolean {
  const name = foldTag(words);
  if (foldTag(entry.name) === name) return true;
  // "Solo piano" is a separate tag: rejecting it does not reject "piano".
  const isOther = refused.tags.some((tag) => foldTag(tag.entry.name) === name);
  return !isOther && words.includes(wanted);
}

/** Returns the wishes that scenes suggest, only for categories in which the brief names no tag. */
function suggestions(
  kept: readonly Mention[],
  named: readonly Wish[],
  isLeft: (tag: TaxonomyTag) => boolean,
): Wish[] {
  const said = new Set(named.flatMap(({ tags }) => tags.map(({ category }) => category)));
  const open = kept.flatMap(({ suggests, start, end }) =>
    suggests
      .filter((tag) => isLeft(tag) && !said.has(tag.category))
      .map((tag) => ({ tag, span: { start, end } })),
  );
  const firstOf = (category: string) => open.findIndex(({ tag }) => tag.category === category);
  const apart = open.filter(({ tag }, index) => firstOf(tag.category) === index);
  return apart.map(({ tag, span }) => ({
    tags: [tag],
    weight: SUGGESTED,
    source: "situation",
    spans: [span],
  }));
}

/** Returns the wishes from the references' usual sound, if the brief leaves the genre open. */
export function wishesOfSound(sound: readonly TaxonomyTag[], { wanted, unwanted }: Wishes): Wish[] {
  if (wanted.some(({ tags }) => tags.some(({ category }) => category === "genres"))) return [];
  const refused = new Set(unwanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.id)));
  const tags = sound.filter(({ entry }) => !refused.has(entry.id));
  return tags.length > 0 ? [{ tags, weight: BY_ARTIST, source: "artist" }] : [];
}
