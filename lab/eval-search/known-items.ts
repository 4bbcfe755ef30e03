import { Database } from "bun:sqlite";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { find } from "../../src/modules/search/search/find.ts";
import { createMirror, prepare } from "../../src/modules/search/search/index/mirror.ts";
import { nameWords, withoutExtension } from "../../src/modules/search/search/names/words.ts";
import { type KnownLibrary, type KnownTrack, knownLibrary } from "./known-library.ts";
import { pick } from "./world.ts";

/** How often each system has the track first, for one way of typing its name. */
export type KnownItems = {
  way: string;
  queries: number;
  product: number;
  fullText: number;
  misses: string[];
};

type Query = { track: KnownTrack; text: string };
/** A way of typing a name; undefined where a track has none such. */
type Way = (track: KnownTrack, random: Random) => string | undefined;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const LEAST_LETTERS = 5;
/** Of each way of typing a name. */
const QUERIES_A_WAY = 40;

const WAYS: Readonly<Record<string, Way>> = {
  title: ({ title }) => title ?? undefined,
  "artist and title": ({ artist, title }) => (artist && title ? `${artist} ${title}` : undefined),
  "title by artist": ({ artist, title }) => (artist && title ? `${title} by ${artist}` : undefined),
  "title with a slip": ({ title }, random) =>
    title && title.length >= LEAST_LETTERS ? withSlip(title, random) : undefined,
  "part of the title": ({ title }) => {
    const words = nameWords(title ?? "");
    return words.length > 2 ? title?.slice(words[0]?.start, words.at(-2)?.end) : undefined;
  },
  "beginning of the title": ({ title }) =>
    title && title.length > LEAST_LETTERS + 2 ? title.slice(0, -2).trim() : undefined,
  "without accents and signs": ({ title }) =>
    title
      ? nameWords(title)
          .map(({ text }) => text)
          .join(" ")
      : undefined,
  "file name": ({ name }) => name,
  "file name as another format": ({ name }) => `${withoutExtension(name)}.wav`,
};

/** Searches a library of Debian's music for what its pieces are called, with the product and with a text index. */
export async function knownItems(folder: string): Promise<KnownItems[]> {
  const library = await knownLibrary(folder);
  const { db, ownerId, tracks } = library;
  const mirror = createMirror(db);
  await prepare(mirror, ownerId);
  const text = textIndex(library);
  const random = randomFrom("ways of typing");
  const product = (query: string) =>
    find(db, mirror, { ownerId, query, filter: {}, seedIds: [], excludedIds: [], limit: 1 }).hits[0]?.id;
  return Object.entries(WAYS).map(([way, type]) => {
    const queries = queriesOf(tracks, type, random);
    const hits = (search: (query: string) => string | undefined) =>
      queries.filter((query) => isMeant(query, search(query.text), tracks));
    const found = new Set(hits(product));
    return {
      way,
      queries: queries.length,
      product: found.size,
      fullText: hits((query) => searchText(text, query)).length,
      misses: queries.filter((query) => !found.has(query)).map((query) => query.text),
    };
  });
}

function queriesOf(tracks: readonly KnownTrack[], type: Way, random: Random): Query[] {
  const all = tracks.flatMap((track) => {
    const text = type(track, random);
    return text === undefined || nameWords(text).length === 0 ? [] : [{ track, text }];
  });
  const step = Math.max(1, all.length / QUERIES_A_WAY);
  return Array.from(
    { length: Math.min(all.length, QUERIES_A_WAY) },
    (_, i) => all[Math.floor(i * step)],
  ).flatMap((query) => query ?? []);
}

/** True for the track, and for one of the same name, which the query means as well. */
function isMeant({ track, text }: Query, id: string | undefined, tracks: readonly KnownTrack[]): boolean {
  const found = tracks.find((each) => each.id === id);
  if (!found) return false;
  const keyOf = ({ title, name }: KnownTrack) => wordsOf(title ?? withoutExtension(name));
  if (found === track || (keyOf(found) === keyOf(track) && found.artist === track.artist)) return true;
  // What is typed may be another track's whole title, or one of several with the same words.
  return wordsOf(text) === keyOf(found) || wordsOf(text) === wordsOf(withoutExtension(found.name));
}

const wordsOf = (name: string) =>
  nameWords(name)
    .map(({ text }) => text)
    .join(" ");

/** Swaps, drops, doubles or changes one letter. */
function withSlip(title: string, random: Random): string {
  const places = [...title.matchAll(/\p{L}(?=\p{L})/gu)].map(({ index }) => index);
  if (places.length === 0) return title;
  const at = pick(places, random);
  const [before, letter, next, after] = [
    title.slice(0, at),
    title[at] ?? "",
    title[at + 1] ?? "",
    title.slice(at + 2),
  ];
  return pick(
    [
      `${before}${next}${letter}${after}`,
      `${before}${next}${after}`,
      `${before}${letter}${letter}${next}${after}`,
      `${before}${pick([...LETTERS], random)}${next}${after}`,
    ],
    random,
  );
}

function textIndex({ tracks }: KnownLibrary): Database {
  const index = new Database(":memory:");
  index.run("CREATE VIRTUAL TABLE names USING fts5 (id UNINDEXED, name, title, artist)");
  const insert = index.query("INSERT INTO names (id, name, title, artist) VALUES (?, ?, ?, ?)");
  for (const { id, name, title, artist } of tracks) insert.run(id, name, title, artist);
  return index;
}

function searchText(index: Database, query: string): string | undefined {
  const match = nameWords(query)
    .map(({ spelling }) => `"${spelling}"`)
    .join(" OR ");
  return index
    .query<{ id: string }, [string]>("SELECT id FROM names WHERE names MATCH ? ORDER BY rank LIMIT 1")
    .get(match)?.id;
}
