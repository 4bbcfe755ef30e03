import { Database } from "bun:sqlite";
import type { Db } from "../../db/client.ts";
import type { TaxonomyCategory, TaxonomyEntry } from "../../db/taxonomy.ts";
import type { Interpretation, Wish } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { parseKey } from "../../src/kernel/musical-key.ts";
import { plainWords } from "../../src/modules/search/search/filters/words.ts";
import { find } from "../../src/modules/search/search/find.ts";
import { createMirror, type Mirror, prepare, shardOf } from "../../src/modules/search/search/index/mirror.ts";
import { exactCosines } from "../../src/modules/search/search/signals/sound.ts";
import { taggedSound } from "../../src/modules/search/search/signals/tagged-sound.ts";
import type { Brief, LatentWish } from "./briefs.ts";
import { shuffled, type WorldTrack } from "./world.ts";

/** A result: the track's id, and the score where the system gives one. */
export type Result = { id: string; score: number };
/** A system that answers briefs, best result first. */
export type System = { name: string; search: (brief: Brief, limit: number) => Result[] };

/** A world in a database. */
export type Stored = { db: Db; ownerId: string; ids: readonly string[]; world: readonly WorldTrack[] };

/** Returns the product, the product with a perfect reading, and the systems that it is compared with. */
export async function systemsOf(stored: Stored): Promise<System[]> {
  const { db, ownerId, ids } = stored;
  const mirror = createMirror(db);
  await prepare(mirror, ownerId);
  const product = (brief: Brief, limit: number, reading?: Interpretation) => {
    const task = { ownerId, query: brief.query, filter: {}, seedIds: [], excludedIds: [], limit };
    return find(db, mirror, { ...task, ...(reading && { brief: reading }) }).hits.map(({ id, score }) => ({
      id,
      score,
    }));
  };
  const random = randomFrom("random order");
  const words = wordIndex(stored);
  return [
    { name: "product", search: product },
    { name: "oracle parse", search: (brief, limit) => product(brief, limit, oracle(brief.wish)) },
    { name: "full text only", search: ({ query }, limit) => searchWords(words, query, limit) },
    { name: "tags only", search: ({ query }, limit) => searchTags(stored, query, limit) },
    { name: "vectors only", search: ({ query }, limit) => searchVectors(stored, mirror, query, limit) },
    {
      name: "random",
      search: (_, limit) =>
        shuffled(ids, random)
          .slice(0, limit)
          .map((id) => ({ id, score: 0 })),
    },
  ];
}

const nobody = { findArtist: () => undefined };

/** Returns a perfect reading of a brief, made from the wish itself. */
function oracle(wish: LatentWish): Interpretation {
  const asWish = (category: TaxonomyCategory, entry: TaxonomyEntry): Wish => ({
    tags: [{ category, entry }],
    weight: 0.8,
    source: "prose",
  });
  const arousals = wish.moods.flatMap(({ arousal }) => arousal ?? []);
  return {
    ...parseBrief("", nobody),
    briefParsed: true,
    wanted: [
      ...(wish.genre ? [asWish("genres", wish.genre)] : []),
      ...wish.moods.map((mood) => asWish("moods", mood)),
      ...(wish.instrument ? [asWish("instruments", wish.instrument)] : []),
    ],
    unwanted: wish.without ? [asWish("instruments", wish.without)] : [],
    bpmRange: wish.bpmRange ?? null,
    durationRange: wish.durationRange ?? null,
    key: (wish.key && parseKey(wish.key)) || null,
    vocalPreference: wish.hasVoice === undefined ? null : wish.hasVoice ? "vocal" : "instrumental",
    energy:
      arousals.length > 0
        ? (arousals.reduce((sum, value) => sum + value, 0) / arousals.length + 1) / 2
        : null,
    said: [],
    explicit: {
      bpmRange: wish.bpmRange !== undefined,
      durationRange: wish.durationRange !== undefined,
      key: wish.key !== undefined,
      noVocals: wish.hasVoice === false,
    },
  };
}

/** Returns an index with all text about a track, including tags and notes, in one field. */
function wordIndex({ ids, world }: Stored): Database {
  const words = new Database(":memory:");
  words.run("CREATE VIRTUAL TABLE words USING fts5 (id UNINDEXED, text)");
  const insert = words.query("INSERT INTO words (id, text) VALUES (?, ?)");
  words.transaction(() => {
    for (const [index, { made }] of world.entries())
      insert.run(
        ids[index] ?? "",
        [
          made.title,
          made.artist,
          made.notes,
          made.lyrics,
          made.key,
          ...made.tags.map(([, name]) => name),
        ].join(" "),
      );
  })();
  return words;
}

/** Finds tracks with any word of the brief, ordered by BM25. */
function searchWords(words: Database, query: string, limit: number): Result[] {
  const match = plainWords(query)
    .map((word) => `"${word}"`)
    .join(" OR ");
  return words
    .query<Result, [string, number]>(
      "SELECT id, -rank AS score FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
    )
    .all(match, limit);
}

/** Ranks tracks by how many of the brief's tags they have. */
function searchTags({ ids, world }: Stored, query: string, limit: number): Result[] {
  const { wanted } = parseBrief(query, nobody);
  const names = new Set(wanted.flatMap((wish) => wish.tags.map((tag) => tag.entry.name)));
  return world
    .map(({ made }, index) => ({
      id: ids[index] ?? "",
      score: made.tags.filter(([, name]) => names.has(name)).length,
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/** Ranks tracks by similarity to the sound of the brief's tags in this library. */
function searchVectors({ db, ownerId }: Stored, mirror: Mirror, query: string, limit: number): Result[] {
  const shard = shardOf(mirror, ownerId);
  const sound = taggedSound(
    shard,
    parseBrief(query, nobody).wanted.map((wish) => ({ wish, weight: wish.weight })),
  );
  if (!sound) return [];
  const seqs = Array.from(shard.columns.seq.subarray(0, shard.length));
  const channel = {
    channel: "sound" as const,
    weight: 1,
    reason: "",
    range: sound.range,
    extraWeights: undefined,
    targets: [sound.target],
    cosines: new Float32Array(),
  };
  const [cosines = []] = exactCosines(db, ownerId, [channel], seqs);
  const best = [...cosines].sort(([, a], [, b]) => b - a).slice(0, limit);
  const idOf = db.$client.query<{ id: string }, [number]>("SELECT id FROM tracks WHERE seq = ?");
  return best.map(([seq, score]) => ({ id: idOf.get(seq)?.id ?? "", score }));
}
