import type { Db } from "../../db/client.ts";
import { atLeast, type Figure } from "../../scripts/bench/figures.ts";
import { find } from "../../src/modules/search/search/find.ts";
import { createMirror, prepare } from "../../src/modules/search/search/index/mirror.ts";
import { type DebianTrack, minuteLibrary } from "./debian-music.ts";

/** What briefs move along, the words for less and for more, and what was measured, read without the search's own arithmetic. */
const DIMENSIONS = [
  { less: "slower", more: "faster", value: "t.bpm" },
  { less: "darker", more: "brighter", value: feature("centroidHz") },
  { less: "darker", more: "brighter", by: "by amplitude", value: feature("amplitudeCentroidHz") },
  { less: "calmer", more: "more energetic", value: feature("energy") },
  { less: "sparser", more: "fuller", value: feature("onsetRatePerSec") },
  { less: "colder", more: "warmer", value: `${feature("lowMidShare")} / (${feature("trebleShare")})` },
  { less: "quieter", more: "louder", value: "a.integrated_lufs" },
] as const;
const AT = 10;
/** Seeds of each word, evenly chosen. */
const SEEDS = 12;
/** Seeds are such that so many of the nearest third lie on the asked side: otherwise none can be obeyed. */
const LEAST_THERE = 15;
const AIM = 0.9;
const NEAREST = 1 / 3;

/** How many of the first ten lie on the asked side, among the nearest third, and both; the share without the word. */
type Obedience = { word: string; side: number; near: number; both: number; plain: number; searches: number };

/** How often a track was its own answer, among so many searches, by words and by its name. */
export type LikeThis = { figures: Figure[]; seedsAmongResults: number; searches: number };

/**
 * Measures "like this, but darker" on a minute of each piece of Debian's music: each result is compared with the seed by
 * what was measured, and with the third of the library that the search without the word finds nearest.
 */
export async function likeThis(folder: string): Promise<LikeThis> {
  const { db, ownerId, tracks } = await minuteLibrary(folder);
  const mirror = createMirror(db);
  await prepare(mirror, ownerId);
  const idsOf = (query: string, seedIds: readonly string[], limit = AT) =>
    find(db, mirror, { ownerId, query, filter: {}, seedIds, excludedIds: [], limit }).hits.map(
      ({ id }) => id,
    );
  const nearest = new Map(
    tracks.map(({ id }) => [id, new Set(idsOf("", [id], Math.floor(tracks.length * NEAREST)))]),
  );
  let [seedsAmongResults, searches] = [0, 0];
  const all = DIMENSIONS.flatMap((dimension) => {
    const values = valuesOf(db, dimension.value);
    return (["less", "more"] as const).map((way): Obedience => {
      const sign = way === "more" ? 1 : -1;
      const isAside = (id: string, seed: string) =>
        sign * ((values.get(id) ?? Number.NaN) - (values.get(seed) ?? Number.NaN)) > 0;
      const count = (ids: Iterable<string>, passes: (id: string) => boolean) =>
        [...ids].filter(passes).length;
      const seeds = evenly(
        tracks.filter(({ id }) => count(nearest.get(id) ?? [], (other) => isAside(other, id)) >= LEAST_THERE),
      );
      const shares = seeds.map((seed) => {
        const moved = idsOf(`like this but ${dimension[way]}`, [seed.id]);
        const named = idsOf(`more like *${calledBy(seed)}* but ${dimension[way]}`, []);
        searches += 2;
        seedsAmongResults += [moved, named].filter((ids) => ids.includes(seed.id)).length;
        const [aside, near] = [
          (id: string) => isAside(id, seed.id),
          (id: string) => nearest.get(seed.id)?.has(id) === true,
        ];
        return {
          side: count(moved, aside) / AT,
          near: count(moved, near) / AT,
          both: count(moved, (id) => aside(id) && near(id)) / AT,
          plain: count([...(nearest.get(seed.id) ?? [])].slice(0, AT), aside) / AT,
        };
      });
      const mean = (name: "side" | "near" | "both" | "plain") =>
        shares.reduce((sum, share) => sum + share[name], 0) / shares.length;
      return {
        word: [dimension[way], ...("by" in dimension ? [dimension.by] : [])].join(", "),
        ...{ side: mean("side"), near: mean("near"), both: mean("both"), plain: mean("plain") },
        searches: shares.length,
      };
    });
  });
  db.$client.close();
  return { figures: all.map(figureOf), seedsAmongResults, searches };
}

function feature(name: string): string {
  return `a.features ->> '$.${name}'`;
}

const calledBy = ({ title, name }: DebianTrack) => title ?? name;

function figureOf({ word, side, near, both, plain, searches }: Obedience): Figure {
  return {
    what: `like this, but ${word}`,
    figure: both.toFixed(3),
    yardstick: `${side.toFixed(2)} on its side, ${near.toFixed(2)} near; ${plain.toFixed(2)} without the word; ${searches} seeds`,
    aim: atLeast(both, AIM),
  };
}

function valuesOf(db: Db, value: string): Map<string, number> {
  const rows = db.$client
    .query<{ id: string; value: number | null }, []>(
      `SELECT t.id, ${value} AS value FROM tracks t JOIN analyses a ON a.version_id = t.analysis_version_id`,
    )
    .all();
  return new Map(rows.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
}

function evenly(tracks: readonly DebianTrack[]): DebianTrack[] {
  const count = Math.min(SEEDS, tracks.length);
  return Array.from({ length: count }, (_, i) => tracks[Math.floor((i * tracks.length) / count)]).filter(
    (track) => track !== undefined,
  );
}
