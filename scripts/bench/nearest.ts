import { Database } from "bun:sqlite";
import { getLoadablePath } from "sqlite-vec";
import { exactSearch, Index, MetricKind, ScalarKind } from "usearch";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { addVector, createSpace, scanSpace } from "../../src/modules/search/search/index/vector-space.ts";
import { topOf } from "../../src/modules/search/search/ranking/top.ts";
import { bytesOf, near, randomUnit } from "../search-rows.ts";
import { atLeast, type Figure, grouped, median } from "./figures.ts";

// Indices stay inside the arrays by construction; the compiler cannot see that for typed arrays.

/** A way to find the nearest vectors: its name, and a search that returns row numbers, nearest first. */
type Finder = { what: string; search: (query: Float32Array) => readonly number[] };

const NEAREST = 10;
const RESCORED = 100;
const CLUSTERS = 80;
const SPREAD = 0.75;
const RUNS = 25;
/** Building a graph of more vectors would take minutes. */
const MOST_FOR_GRAPH = 100_000;

/**
 * Times several ways to find the ten nearest of `count` vectors, with one thread each, and counts how many of the
 * exact ten they find. The product uses the int8 kernel and measures the best hundred exactly.
 *
 * @param aim How many times as fast as the vector extension the product should be.
 */
export function compareNearest(count: number, dimensions: number, aim?: number): Figure[] {
  const random = randomFrom(`nearest ${count} ${dimensions}`);
  const centres = Array.from({ length: CLUSTERS }, () => randomUnit(dimensions, random));
  const all = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++)
    all.set(near(centres[row % CLUSTERS] ?? centres[0] ?? all, SPREAD, random), row * dimensions);
  const queries = centres.slice(0, RUNS).map((centre) => near(centre, SPREAD, random));
  const exact = queries.map((query) => loop(all, dimensions)(query));

  const finders = [
    () => ({ what: "int8 kernel, best 100 exactly", search: kernel(all, dimensions) }),
    () => ({ what: "plain loop, float32", search: loop(all, dimensions) }),
    () => ({ what: "sqlite-vec, vec0 table", search: vec0(all, dimensions) }),
    () => ({ what: "usearch, exact", search: usearchExact(all, dimensions) }),
    ...(count > MOST_FOR_GRAPH ? [] : [() => graph(all, dimensions)]),
  ];
  const scan = { ms: 0 };
  const timed = finders.map((make) => {
    const finder = make();
    const { ms, recall } = time(finder, queries, exact);
    if (finder.what.startsWith("sqlite-vec")) scan.ms = ms;
    return { what: finder.what, ms, recall };
  });
  return timed.map(({ what, ms, recall }, index) => {
    const times = scan.ms / ms;
    return {
      what: `${grouped(count)} x ${dimensions}: ${what}`,
      figure: `${ms.toFixed(2)} ms`,
      yardstick: `recall@10 ${recall.toFixed(3)}, ${times.toFixed(1)} times as fast as sqlite-vec`,
      ...(aim !== undefined && index === 0 && { aim: atLeast(times, aim) }),
    };
  });
}

function time({ search }: Finder, queries: readonly Float32Array[], exact: readonly (readonly number[])[]) {
  const times: number[] = [];
  let found = 0;
  for (const query of queries) search(query); // lets the compiler warm up
  for (const [index, query] of queries.entries()) {
    const startedAt = performance.now();
    const rows = search(query);
    times.push(performance.now() - startedAt);
    found += rows.filter((row) => exact[index]?.includes(row)).length;
  }
  return { ms: median(times), recall: found / (queries.length * NEAREST) };
}

function kernel(all: Float32Array, dimensions: number): Finder["search"] {
  const count = all.length / dimensions;
  const space = createSpace("bench", dimensions);
  for (let row = 0; row < count; row++) addVector(space, vectorAt(all, dimensions, row));
  const products = new Float32Array(count);
  const rows = Uint32Array.from({ length: count }, (_, row) => row);
  return (query) => {
    scanSpace(space, query, (some, first) => products.set(some, first));
    const best = topOf(rows, RESCORED, products, (a, b) => (products[a] as number) > (products[b] as number));
    return best
      .map((row) => ({ row, product: dot(vectorAt(all, dimensions, row), query) }))
      .sort((a, b) => b.product - a.product)
      .slice(0, NEAREST)
      .map(({ row }) => row);
  };
}

function loop(all: Float32Array, dimensions: number): Finder["search"] {
  const count = all.length / dimensions;
  const products = new Float32Array(count);
  const rows = Uint32Array.from({ length: count }, (_, row) => row);
  return (query) => {
    for (let row = 0; row < count; row++) {
      let sum = 0;
      const at = row * dimensions;
      for (let i = 0; i < dimensions; i++) sum += (all[at + i] as number) * (query[i] as number);
      products[row] = sum;
    }
    return topOf(rows, NEAREST, products, (a, b) => (products[a] as number) > (products[b] as number));
  };
}

function vec0(all: Float32Array, dimensions: number): Finder["search"] {
  const db = new Database(":memory:");
  db.loadExtension(getLoadablePath());
  db.run(`CREATE VIRTUAL TABLE v USING vec0(embedding float[${dimensions}] distance_metric=cosine)`);
  const insert = db.query("INSERT INTO v (rowid, embedding) VALUES (?, ?)");
  db.transaction(() => {
    for (let row = 0; row * dimensions < all.length; row++)
      insert.run(row, bytesOf(vectorAt(all, dimensions, row)));
  })();
  const search = db.query<{ rowid: number }, [Uint8Array, number]>(
    "SELECT rowid FROM v WHERE embedding MATCH ? AND k = ? ORDER BY distance",
  );
  return (query) => search.all(bytesOf(query), NEAREST).map(({ rowid }) => rowid);
}

function usearchExact(all: Float32Array, dimensions: number): Finder["search"] {
  return (query) => {
    const { keys } = exactSearch(all, query, dimensions, NEAREST, MetricKind.IP, 1);
    return Array.from(keys, Number);
  };
}

function graph(all: Float32Array, dimensions: number): Finder {
  const startedAt = performance.now();
  const index = new Index(dimensions, MetricKind.IP, ScalarKind.I8);
  const keys = BigUint64Array.from({ length: all.length / dimensions }, (_, row) => BigInt(row));
  index.add(keys, all, 1);
  const builtSec = (performance.now() - startedAt) / 1000;
  return {
    what: `usearch, HNSW over int8, ${builtSec.toFixed(0)} s to build`,
    search: (query) => Array.from(index.search(query, NEAREST, 1).keys, Number),
  };
}

const vectorAt = (all: Float32Array, dimensions: number, row: number) =>
  all.subarray(row * dimensions, (row + 1) * dimensions);

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
