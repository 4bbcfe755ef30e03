import type { Db } from "../../db/client.ts";
import { atLeast, type Figure } from "../../scripts/bench/figures.ts";
import { find } from "../../src/modules/search/search/find.ts";
import { createMirror, prepare } from "../../src/modules/search/search/index/mirror.ts";
import { type DebianTrack, debianLibrary } from "./debian-music.ts";

/** What a brief moves along, the words for less and for more, and where the measured value is stored. */
const DIMENSIONS = [
  { name: "tempo", less: "slower", more: "faster", value: "t.bpm" },
  { name: "brightness", less: "darker", more: "brighter", value: "a.features ->> '$.brightness'" },
  { name: "energy", less: "calmer", more: "more energetic", value: "a.features ->> '$.energy'" },
  { name: "length", less: "shorter", more: "longer", value: "t.duration_sec" },
] as const;
const AT = 10;
/** Seeds of each dimension, evenly chosen. */
const SEEDS = 25;
/** At least this many tracks must lie in the wanted direction. */
const LEAST_THERE = 20;
const AIM = 0.8;

/** The share of the first ten that lie in the wanted direction, with the comparative and without it. */
type Obedience = { name: string; obeyed: number; plain: number; searches: number };

/**
 * Measures "more like this, but slower" on Debian's music: each seed is named by its title or file in prose, and each
 * result is compared with it by the values that the product measured.
 */
export async function likeThis(folder: string): Promise<{ figures: Figure[]; seedsAmongResults: number }> {
  const { db, ownerId, tracks } = await debianLibrary(folder);
  const mirror = createMirror(db);
  await prepare(mirror, ownerId);
  const search = (query: string) =>
    find(db, mirror, { ownerId, query, filter: {}, seedIds: [], excludedIds: [], limit: AT }).hits;
  let seedsAmongResults = 0;
  const all = DIMENSIONS.flatMap((dimension) => {
    const values = valuesOf(db, dimension.value);
    return (["less", "more"] as const).map((way): Obedience => {
      const sign = way === "more" ? 1 : -1;
      const seeds = evenly(tracks.filter(({ id }) => isAmid(values, id, sign)));
      const shares = seeds.map((seed) => {
        const from = values.get(seed.id) ?? 0;
        const share = (query: string) => {
          const hits = search(query);
          if (hits.some(({ id }) => id === seed.id)) seedsAmongResults += 1;
          return hits.filter(({ id }) => sign * ((values.get(id) ?? from) - from) > 0).length / AT;
        };
        return [
          share(`more like *${calledBy(seed)}* but ${dimension[way]}`),
          share(`more like *${calledBy(seed)}*`),
        ] as const;
      });
      return {
        name: dimension[way],
        obeyed: mean(shares.map(([obeyed]) => obeyed)),
        plain: mean(shares.map(([, plain]) => plain)),
        searches: shares.length,
      };
    });
  });
  db.$client.close();
  return { figures: all.map(figureOf), seedsAmongResults };
}

const calledBy = ({ title, name }: DebianTrack) => title ?? name;

function figureOf({ name, obeyed, plain, searches }: Obedience): Figure {
  return {
    what: `more like this, but ${name}`,
    figure: obeyed.toFixed(3),
    yardstick: `${plain.toFixed(3)} without the comparative, ${searches} seeds`,
    aim: atLeast(obeyed, AIM),
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

function isAmid(values: ReadonlyMap<string, number>, id: string, sign: number): boolean {
  const from = values.get(id);
  if (from === undefined) return false;
  return (
    values
      .values()
      .filter((value) => sign * (value - from) > 0)
      .toArray().length >= LEAST_THERE
  );
}

function evenly(tracks: readonly DebianTrack[]): DebianTrack[] {
  const count = Math.min(SEEDS, tracks.length);
  return Array.from({ length: count }, (_, i) => tracks[Math.floor((i * tracks.length) / count)]).filter(
    (track) => track !== undefined,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
