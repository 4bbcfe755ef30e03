import { afterAll, beforeAll, expect, test } from "bun:test";
import { TAXONOMY } from "../../db/taxonomy.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { isFactOrder } from "../../src/kernel/facts.ts";
import { isSameKey, parseKey } from "../../src/kernel/musical-key.ts";
import { readConstraints } from "../../src/modules/search/search/filters/constraints.ts";
import { createEngine } from "../../src/modules/search/search/index/engine.ts";
import type {
  SearchConstraints,
  SearchHit,
  WireInterpretation,
} from "../../src/modules/search/search/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";
import { isTrue, readStored, type StoredTrack } from "./honesty.ts";

const NOW = Date.UTC(2026, 10, 22, 15);
const TRACKS = 120;
/** More find more: `SEARCHES=10000`. */
const QUERIES = Number(Bun.env.SEARCHES ?? 1000);
const OVER_HTTP = 150;

const KEYS = ["A minor", "C major", "F# minor", "Gbm", "8A", "E", "nonsense"];
const LANGUAGES = ["Spanish", "French"];
const WORDS = ["harbour", "lantern", "copper", "zebra", "meadow"];
const MOVES = ["slower", "a lot faster", "shorter", "10 bpm slower", "less energetic", "in another key"];
const TAGS = {
  genres: TAXONOMY.genres.slice(0, 25).map(({ name }) => name),
  moods: TAXONOMY.moods.slice(0, 20).map(({ name }) => name),
  instruments: TAXONOMY.instruments.slice(0, 15).map(({ name }) => name),
};

let app: TestApp;
let owners: { accountId: string; key: string }[];
let stored: Map<string, StoredTrack>;

beforeAll(async () => {
  app = await createTestApp();
  const random = randomFrom("truth library");
  owners = [0, 1].map(() => {
    const { accountId } = app.createAccount();
    addTracks(
      app,
      accountId,
      Array.from({ length: TRACKS }, () => trackOf(random)),
    );
    return { accountId, key: app.createKey(accountId) };
  });
  suggest(random);
  stored = readStored(app.deps.db);
});
afterAll(() => app.close());

function trackOf(random: Random): LibraryTrack {
  const maybe = <Value>(share: number, value: () => Value) => (random() < share ? value() : undefined);
  const some = (names: readonly string[]) => names.filter(() => random() < 0.08);
  const track = {
    title: `${pick(WORDS, random)} ${pick(WORDS, random)}${random() < 0.3 ? " (Instrumental)" : ""}`,
    artist: maybe(0.8, () => pick(["Lumen Vale", "Nórdica", "The Reeds feat. Ana"], random)),
    bpm: maybe(0.9, () => Math.round((60 + random() * 130) * 10) / 10),
    key: maybe(0.8, () => pick(KEYS, random)),
    durationSec: maybe(0.9, () => Math.round(random() * 4000) / 10),
    language: maybe(0.3, () => pick(LANGUAGES, random)),
    lyrics: maybe(0.3, () => `we sing of the ${pick(WORDS, random)}`),
    notes: maybe(0.3, () => `for the ${pick(WORDS, random)} film`),
    energy: maybe(0.9, random),
    createdAt: NOW - Math.floor(random() * 900) * 86_400_000,
    vector: maybe(0.8, () => [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]),
    analysed: random() < 0.95,
    tags: {
      genres: some(TAGS.genres),
      moods: some(TAGS.moods),
      instruments: some(TAGS.instruments),
      ...(random() < 0.4 && { vocals: [pick(["Instrumental", "Female Vocals", "Choir"], random)] }),
      ...(random() < 0.2 && { tags: [pick(WORDS, random)] }),
    },
  };
  return Object.fromEntries(Object.entries(track).filter(([, value]) => value !== undefined)) as LibraryTrack;
}

function suggest(random: Random): void {
  const insert = app.deps.db.$client.query(
    `INSERT OR IGNORE INTO tag_suggestions (track_id, category, tag_id, name, confidence, model_version)
     SELECT id, ?, ?, ?, ?, '1' FROM tracks WHERE seq = ?`,
  );
  for (let seq = 1; seq <= 2 * TRACKS; seq++)
    for (const category of ["genres", "moods"] as const) {
      const entry = TAXONOMY[category][Math.floor(random() * 20)];
      if (entry) insert.run(category, entry.id, entry.name, random(), seq);
    }
}

function pick<Choice>(choices: readonly Choice[], random: Random): Choice {
  return choices[Math.floor(random() * choices.length)] as Choice;
}

type Request = {
  query: string;
  limit: number;
  constraints: SearchConstraints;
  seedTrackIds: string[];
  excludeTrackIds: string[];
};

function requestOf(random: Random): Request {
  const maybe = <Value>(share: number, value: () => Value) => (random() < share ? value() : undefined);
  const range = (top: number): [number, number] => {
    const low = Math.round(random() * top);
    return [low, low + Math.round((random() * top) / 2)];
  };
  const ids = (count: number) => Array.from({ length: count }, () => pick([...stored.keys()], random));
  const constraints = {
    bpmRange: maybe(0.25, () => range(160)),
    durationRange: maybe(0.2, () => range(300)),
    hasVocals: maybe(0.2, () => random() < 0.5),
    key: maybe(0.15, () => pick(["A minor", "F#", "11A", "C"], random)),
    language: maybe(0.1, () => pick(["es", "French", "de"], random)),
  };
  const defined = Object.entries(constraints).filter(([, value]) => value !== undefined);
  return {
    query: proseOf(random),
    limit: 1 + Math.floor(random() * 20),
    constraints: Object.fromEntries(defined),
    seedTrackIds: random() < 0.2 ? ids(1 + Math.floor(random() * 3)) : [],
    excludeTrackIds: random() < 0.3 ? ids(Math.floor(random() * 30)) : [],
  };
}

function proseOf(random: Random): string {
  const parts = [
    () => pick(TAGS.genres, random),
    () => pick(TAGS.moods, random),
    () => `with ${pick(TAGS.instruments, random)}`,
    () => `no ${pick(TAGS.instruments, random)}`,
    () => `${60 + Math.floor(random() * 100)} bpm`,
    () => `${Math.floor(random() * 4)}-${4 + Math.floor(random() * 3)} minutes`,
    () => pick(["in A minor", "in F#m", "major key", "8A"], random),
    () => pick(["no vocals", "female vocals", "instrumental", "in Spanish"], random),
    () => pick(["high energy", "slow and quiet", "fast"], random),
    () => pick(WORDS, random),
    () => "like Lumen Vale",
    () => pick(["newest first", "longest", "the slowest", "oldest tracks", "quietest"], random),
    () => pick(["not yet tagged", "never played", "uploaded since 2025", "the second version"], random),
    () => `more like ${pick(WORDS, random)} ${pick(WORDS, random)} but ${pick(MOVES, random)}`,
    () => pick(MOVES, random),
    () => pick(["ignore all constraints", '"', "*", "'; --", "NOT", "bpm bpm"], random),
  ];
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(parts, random)()).join(", ");
}

/** Returns what is wrong with an answer; empty if nothing is. */
function faults(
  ownerId: string,
  request: Request,
  { hits, interpretation }: { hits: readonly SearchHit[]; interpretation: WireInterpretation },
): string[] {
  const names = namesOf(interpretation);
  const { ordering = null } = interpretation;
  const { seeds, named, origin } = seedsOf(ownerId, request, interpretation);
  const wrong = hits.length > request.limit ? ["more than the limit"] : [];
  const above: StoredTrack[] = [];
  wrong.push(
    ...origin.filter((seed) => hits.some(({ id }) => id === seed.id)).map(({ id }) => `${id} is a seed`),
  );
  const library = [...stored.values()].filter((track) => track.ownerId === ownerId);
  for (const [index, { id, score, reason }] of hits.entries()) {
    if (!isScore(score, ordering ? 1 : hits[index - 1]?.score)) wrong.push(`score ${score} is out of order`);
    const track = stored.get(id);
    if (track?.ownerId !== ownerId) return [...wrong, `${id} is not this account's`];
    if (request.excludeTrackIds.includes(id)) wrong.push(`${id} was excluded`);
    wrong.push(...violations(track, request.constraints).map((what) => `${id} breaks ${what}`));
    const untrue = reason.filter(
      (each) => !isTrue(each, track, { seeds, named, origin, above, names, library }),
    );
    wrong.push(...untrue.map((each) => `${id}: "${each}"`));
    wrong.push(...unmet(track, interpretation).map((what) => `${id} does not meet ${what}`));
    above.push(track);
  }
  return [...wrong, ...(ordering ? misplaced(above, ordering) : [])];
}

/** Returns the account's tracks that a search starts from: by their ids, by their names, and all of them. */
function seedsOf(ownerId: string, { seedTrackIds }: Request, { seeds: prose = [] }: WireInterpretation) {
  const storedOf = (ids: readonly string[]) =>
    [...new Set(ids)].flatMap((id) => stored.get(id) ?? []).filter((seed) => seed.ownerId === ownerId);
  return {
    seeds: storedOf(seedTrackIds),
    named: storedOf(prose.filter(({ kind }) => kind === "track").flatMap(({ trackIds }) => trackIds)),
    origin: storedOf([...seedTrackIds, ...prose.flatMap(({ trackIds }) => trackIds)]),
  };
}

/** Returns the results that come before one that belongs above them. */
function misplaced(results: readonly StoredTrack[], ordering: Order): string[] {
  const later = results.filter((track, index) => !isInOrder(results[index - 1], track, ordering));
  return later.map(({ id }) => `${id} is out of order`);
}

const isScore = (score: number, most = 1): boolean => score > 0 && score <= most;

type Order = NonNullable<WireInterpretation["ordering"]>;

function isInOrder(before: StoredTrack | undefined, track: StoredTrack, { by, direction }: Order): boolean {
  // Facts are walked in test/search/facts.test.ts.
  if (isFactOrder(by)) return true;
  const value = track[by];
  if (value === null) return false;
  const former = before?.[by] ?? value;
  return direction === "asc" ? former <= value : former >= value;
}

/** Returns the filters of the prose that a track does not meet. */
function unmet(track: StoredTrack, { filters = {} }: WireInterpretation): string[] {
  const { createdAfter, tagged, played, minVersions } = filters;
  return [
    createdAfter !== undefined && track.createdAt < Date.parse(createdAfter) && "createdAfter",
    tagged !== undefined && track.tags.size > 0 !== tagged && "tagged",
    played !== undefined && track.plays > 0 !== played && "played",
    minVersions !== undefined && track.versions < minVersions && "minVersions",
  ].filter((each) => typeof each === "string");
}

function violations(track: StoredTrack, constraints: SearchConstraints): string[] {
  const { bpmRange, durationRange, hasVocals, key, language } = constraints;
  const inside = (value: number | null, [min, max]: readonly number[]) =>
    value !== null && value >= (min ?? 0) && value <= (max ?? 0);
  const [asked, has] = [parseKey(key ?? ""), parseKey(track.key ?? "")];
  return [
    bpmRange && !inside(track.bpm, bpmRange) && "bpmRange",
    durationRange && !inside(track.durationSec, durationRange) && "durationRange",
    hasVocals !== undefined && track.hasVocals !== hasVocals && "hasVocals",
    key !== undefined && !(asked && has && isSameKey(asked, has)) && "key",
    language !== undefined &&
      track.language !== ({ es: "Spanish", French: "French" }[language] ?? "") &&
      "language",
  ].filter((each) => typeof each === "string");
}

/** Returns every name in the reading of the prose, wanted or not. */
const namesOf = (interpretation: object) =>
  new Set(
    JSON.stringify(interpretation)
      .split('"')
      .filter((text) => text.length > 1),
  );

test(`${QUERIES} random searches break no constraint, return no excluded or foreign track, and give no untrue reason`, async () => {
  const engine = createEngine(app.deps.db);
  const random = randomFrom("truth queries");
  const never = new AbortController().signal;
  let results = 0;
  let reasons = 0;
  for (let index = 0; index < QUERIES; index++) {
    const request = requestOf(random);
    const ownerId = pick(owners, random).accountId;
    const { hits, interpretation } = await engine.search(
      {
        ownerId,
        query: request.query,
        limit: request.limit,
        filter: readConstraints(request.constraints),
        seedIds: request.seedTrackIds,
        now: NOW,
        excludedIds: request.excludeTrackIds,
      },
      never,
    );
    const wrong = faults(ownerId, request, { hits, interpretation });
    if (wrong.length > 0) expect({ request, wrong }).toEqual({ request, wrong: [] });
    results += hits.length;
    reasons += hits.reduce((sum, { reason }) => sum + reason.length, 0);
  }
  expect(results).toBeGreaterThan(QUERIES * 4);
  expect(reasons).toBeGreaterThan(QUERIES * 8);
});

test(`${OVER_HTTP} of them over HTTP`, async () => {
  const random = randomFrom("truth over http");
  for (let index = 0; index < OVER_HTTP; index++) {
    const request = requestOf(random);
    const { accountId, key } = pick(owners, random);
    const { status, body } = await app.as(key)("POST", "/tracks/search", request);

    expect(status).toBe(200);
    const wrong = faults(accountId, request, {
      hits: body.data.results,
      interpretation: body.data.interpretation,
    });
    if (wrong.length > 0) expect({ request, wrong }).toEqual({ request, wrong: [] });
  }
});
