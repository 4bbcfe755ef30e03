import type { FindNear } from "../../../../brief/seed.ts";
import type { FindOwnArtist } from "../artists.ts";
import { findNamed, type Named } from "../names/find-named.ts";
import type { NameField } from "../names/score.ts";
import { artistSeed } from "./named.ts";

/** "More like" never means an album or a comment. */
const KINDS: ReadonlySet<NameField["kind"]> = new Set(["title", "artist", "file"]);

/** Words that may lead to a name are common in long briefs. */
const MOST_LOOKUPS = 2;

/** Returns a function that finds which name of the library begins a text, as names are found: with slips, or in part. */
export function findNearIn(library: Parameters<typeof findNamed>[0], artistOf: FindOwnArtist): FindNear {
  let left = MOST_LOOKUPS;
  return (text) => {
    if (left === 0) return undefined;
    left -= 1;
    const { tracks, query } = findNamed(library, text);
    const field = tracks
      .flatMap(({ matches }) => matches)
      .map((match) => match.field)
      .find(({ kind, words }) => KINDS.has(kind) && begins(query, words));
    const last = field && query[field.words.length - 1];
    const seed = field && seedOf(artistOf, tracks, field);
    if (!seed || !last) return undefined;
    const slips = query.slice(0, field.words.length).filter(({ text }, index) => text !== field.words[index]);
    return { seed, end: last.end, slips: slips.map((word) => word.text) };
  };
}

const begins = (query: Named["query"], words: readonly string[]) =>
  words.every((word, index) => query[index]?.alternatives.has(word));

function seedOf(artistOf: FindOwnArtist, tracks: Named["tracks"], { kind, text, words }: NameField) {
  if (kind === "artist") return artistSeed(artistOf, text);
  const isSame = (field: NameField) => KINDS.has(field.kind) && field.words.join(" ") === words.join(" ");
  const named = tracks.filter(({ matches }) => matches.some(({ field }) => isSame(field)));
  return { kind: "track", name: text, trackSeqs: named.map(({ seq }) => seq) } as const;
}
