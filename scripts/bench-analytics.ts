/**
 * Prints how long analytics take on a large library, beside a full scan of the same log, and checks that both count
 * the same.
 *
 * usage: bun scripts/bench-analytics.ts [--quick] [--even]
 * 100 000 tracks and 5 million rows of activity over two years. Takes about five minutes, most of them to make the
 * library. The aim holds for nine questions in ten.
 * --quick: a fiftieth of that. --even: all tracks are about equally popular, the hardest case for top.
 */
import "./support/help.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { transact } from "../db/client.ts";
import { playlists } from "../db/schema.ts";
import { createApp } from "../src/app.ts";
import { type Random, randomFrom } from "../src/demo/dsp/random.ts";
import type { Deps } from "../src/kernel/deps.ts";
import { newId } from "../src/kernel/ids.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, toIso } from "../src/kernel/time.ts";
import { closeLibrary } from "../src/library.ts";
import { recordActivity } from "../src/modules/library/analytics/service.ts";
import type { Metric } from "../src/modules/library/analytics/shapes.ts";
import { METRICS } from "../src/modules/library/analytics/shapes.ts";
import { atMost, type Figure, grouped, median, table } from "./bench/figures.ts";
import { addAnalysedTracks, createOwner, type Owner, openLibraryIn, pick } from "./bench/library.ts";
import { temporaryFolder } from "./bench/processes.ts";

type Options = { quick: boolean; even: boolean };
type Library = { deps: Deps; owner: Owner; trackIds: string[]; rows: number };

const AIM_MS = 20;
const RUNS = 40;
const SPAN_DAYS = 730;
const CHUNK_ROWS = 50_000;
/** How many of 100 activities each metric gets. */
const SHARES: readonly [metric: Metric, percent: number][] = [
  ["plays", 60],
  ["views", 25],
  ["downloads", 8],
  ["saved", 3],
  ["shares", 2],
  ["comments", 2],
];
const MIX = SHARES.flatMap(([metric, percent]) => Array.from({ length: percent }, () => metric));

/** Makes a library and measures it. `bench.ts` runs this as a section. */
export async function benchAnalytics(options: Options): Promise<Figure[]> {
  const folder = temporaryFolder("bench-analytics");
  const made = await makeLibrary(folder, options);
  closeLibrary(made.library.deps);
  const sizeMb = statSync(join(folder, "dubplate.db")).size / 1e6;
  const deps = openLibraryIn(folder); // opened the way a server opens it
  try {
    const figures = await measure({ ...made.library, deps });
    const perRow = `${((made.recordSec / made.library.rows) * 1e6).toFixed(0)} µs per row`;
    const what = `record ${grouped(made.library.rows)} rows, ${grouped(made.library.trackIds.length)} tracks`;
    return [
      { what, figure: `${made.recordSec.toFixed(0)} s`, yardstick: `${perRow}; file ${grouped(sizeMb)} MB` },
      ...figures,
      { what: "record one, committed", figure: `${recordOne(deps, made.library).toFixed(2)} ms` },
    ];
  } finally {
    closeLibrary(deps);
  }
}

async function makeLibrary(folder: string, { quick, even }: Options) {
  const deps = openLibraryIn(folder);
  deps.db.$client.run("PRAGMA synchronous = OFF");
  deps.db.$client.run("PRAGMA cache_size = -1000000");
  const owner = await createOwner(deps);
  const trackIds = addAnalysedTracks(deps, owner.accountId, quick ? 2000 : 100_000);
  const playlistIds = addPlaylists(deps, owner.accountId, 200);
  const rows = quick ? 100_000 : 5_000_000;
  const random = randomFrom("bench analytics");
  const startAt = deps.now() - SPAN_DAYS * DAY_MS;
  const startedAt = performance.now();
  for (let done = 0; done < rows; done += CHUNK_ROWS)
    transact(deps.db, (tx) => {
      for (let n = done; n < Math.min(done + CHUNK_ROWS, rows); n++) {
        const isTrack = random() < 0.95;
        const [entity, ids] = isTrack ? (["track", trackIds] as const) : (["playlist", playlistIds] as const);
        const entityId = pick(ids, even ? random : () => zipf(ids.length, random));
        const what = { ownerId: owner.accountId, entity, entityId, metric: pick(MIX, random) };
        const actor = { type: "visitor", name: null } as const;
        recordActivity(tx, { ...what, actor }, Math.floor(startAt + (n / rows) * SPAN_DAYS * DAY_MS));
      }
    });
  const recordSec = (performance.now() - startedAt) / 1000;
  return { library: { deps, owner, trackIds, rows }, recordSec };
}

/** Returns a position from 0 to 1 among `size`, where rank r is drawn about 1/r as often as the first. */
const zipf = (size: number, random: Random) => (size ** random() - 1) / size;

function addPlaylists({ db, now }: Deps, ownerId: string, count: number): string[] {
  return transact(db, (tx) =>
    Array.from({ length: count }, (_, index) => {
      const id = newId("pl");
      const row = { id, ownerId, name: `List ${index}`, createdAt: now(), updatedAt: now() };
      tx.insert(playlists).values(row).run();
      return id;
    }),
  );
}

type Span = { from: number; to: number };

/** The kinds of range that people ask for. No range begins where the log does. */
function ranges(now: number): [name: string, span: (random: Random) => Span | undefined][] {
  const daysAgo = (days: number) => Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
  return [
    ["ever", () => undefined],
    [
      "30 whole days",
      (random) => {
        const from = daysAgo(40 + Math.floor(random() * 500));
        return { from, to: from + 30 * DAY_MS - 1 };
      },
    ],
    [
      "a year, cut within days",
      (random) => {
        const from = daysAgo(400 + Math.floor(random() * 300)) + Math.floor(random() * DAY_MS);
        return { from, to: from + 365 * DAY_MS + Math.floor(random() * DAY_MS) };
      },
    ],
    [
      "600 days, cut within days",
      (random) => {
        const from = daysAgo(700 - Math.floor(random() * 60)) + Math.floor(random() * DAY_MS);
        return { from, to: from + 600 * DAY_MS + Math.floor(random() * DAY_MS) };
      },
    ],
  ];
}

async function measure(library: Library): Promise<Figure[]> {
  const { deps, trackIds } = library;
  const { front } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const random = randomFrom("bench analytics questions");
  const get = async (path: string) => {
    const url = `http://127.0.0.1:4747/api/v1/analytics/${path}`;
    const request = new Request(url, { headers: { "x-api-key": library.owner.key } });
    const startedAt = performance.now();
    const response = await front(request, "127.0.0.1");
    const text = await response.text();
    const elapsedMs = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${path}: ${text}`);
    return { elapsedMs, data: JSON.parse(text).data };
  };
  const query = (span: Span | undefined) =>
    span ? `&since=${toIso(span.from)}&until=${toIso(span.to)}` : "";
  const figures = [
    await timed(
      "dashboard",
      () => get("dashboard"),
      () => scanDashboard(library),
    ),
  ];
  for (const [name, spanOf] of ranges(deps.now())) {
    const span = spanOf(random);
    const popular = trackIds.slice(0, 50).join();
    figures.push(
      await timed(
        `stats of the 50 most popular, ${name}`,
        (isFirst) => get(`stats?entity=track&ids=${popular}${query(isFirst ? span : spanOf(random))}`),
        () => scanStats(library, trackIds.slice(0, 50), span),
        (data) => data.items.map((item: { total: number }) => item.total),
      ),
    );
    for (const metric of ["plays", "comments"] as const)
      figures.push(
        await timed(
          `top 50 of ${metric}, ${name}`,
          (isFirst) => get(`top?metric=${metric}&limit=50${query(isFirst ? span : spanOf(random))}`),
          () => scanTop(library, metric, span),
          (data) => data.items.map((item: { count: number }) => item.count),
        ),
      );
  }
  return figures;
}

type Timed = { elapsedMs: number; data: ReturnType<typeof JSON.parse> };

async function timed(
  what: string,
  ask: (isFirst: boolean) => Promise<Timed>,
  scan: () => unknown,
  toComparable?: (data: Timed["data"]) => unknown,
): Promise<Figure> {
  const first = await ask(true);
  const startedAt = performance.now();
  const scanned = scan();
  const scanMs = performance.now() - startedAt;
  if (toComparable && JSON.stringify(toComparable(first.data)) !== JSON.stringify(scanned))
    throw new Error(
      `${what}: ${JSON.stringify(toComparable(first.data))}, scanned ${JSON.stringify(scanned)}`,
    );
  const times = [first.elapsedMs];
  while (times.length < RUNS) times.push((await ask(false)).elapsedMs);
  const sorted = times.toSorted((a, b) => a - b);
  const nineInTenMs = sorted[Math.ceil(0.9 * RUNS) - 1] ?? Number.NaN;
  const slowestMs = sorted.at(-1) ?? Number.NaN;
  return {
    what,
    figure: `${median(times).toFixed(1)} ms (9 in 10: ${nineInTenMs.toFixed(1)}, slowest ${slowestMs.toFixed(1)})`,
    yardstick: `full scan ${grouped(scanMs)} ms`,
    aim: atMost(nineInTenMs, AIM_MS, "ms"),
  };
}

const COUNTED = METRICS.map((metric) => `'${metric}'`).join();
const OWN_SERIES = `SELECT ref FROM activity_series WHERE owner_id = ?1 AND entity = 'track' AND metric`;
const bounds = (span: Span | undefined) => [span?.from ?? 0, span?.to ?? Number.MAX_SAFE_INTEGER] as const;

function scanStats({ deps, owner }: Library, ids: readonly string[], span: Span | undefined): number[] {
  const rows = deps.db.$client
    .query<{ id: string; count: number }, [string, string, number, number]>(
      `SELECT e.entity_id AS id, count(*) AS count FROM activity l NOT INDEXED
       JOIN activity_entities e ON e.ref = l.entity_ref
       WHERE l.left_out IS NULL AND l.series_ref IN (${OWN_SERIES} IN (${COUNTED}))
         AND l.entity_ref IN (SELECT ref FROM activity_entities WHERE entity_id IN (SELECT value FROM json_each(?2)))
         AND l.at BETWEEN ?3 AND ?4 GROUP BY 1`,
    )
    .all(owner.accountId, JSON.stringify(ids), ...bounds(span));
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

function scanTop({ deps, owner }: Library, metric: Metric, span: Span | undefined): number[] {
  return deps.db.$client
    .query<{ count: number }, [string, string, number, number]>(
      `SELECT count(*) AS count FROM activity l NOT INDEXED
       WHERE l.left_out IS NULL AND l.series_ref IN (${OWN_SERIES} = ?2) AND l.at BETWEEN ?3 AND ?4
       GROUP BY l.entity_ref ORDER BY count DESC LIMIT 50`,
    )
    .all(owner.accountId, metric, ...bounds(span))
    .map(({ count }) => count);
}

function scanDashboard({ deps, owner }: Library): void {
  const { $client: client } = deps.db;
  client
    .query(
      "SELECT series_ref, count(*) FROM activity NOT INDEXED WHERE left_out IS NULL AND at > ? GROUP BY 1",
    )
    .all(deps.now() - 7 * DAY_MS);
  client
    .query(
      "SELECT category, name, count(*) AS n FROM track_tags NOT INDEXED WHERE owner_id = ? GROUP BY 1, 2",
    )
    .all(owner.accountId);
  client
    .query("SELECT count(*), sum(duration_sec) FROM tracks NOT INDEXED WHERE owner_id = ?")
    .get(owner.accountId);
}

/** Returns the median time to record one activity durably, each in its own transaction, in milliseconds. */
function recordOne(deps: Deps, { owner, trackIds }: Library): number {
  const random = randomFrom("bench one");
  const times = Array.from({ length: 200 }, (_, index) => {
    const entityId = pick(trackIds, random);
    const what = { ownerId: owner.accountId, entity: "track", entityId, metric: "plays" } as const;
    const startedAt = performance.now();
    transact(deps.db, (tx) =>
      recordActivity(tx, { ...what, actor: { type: "visitor", name: null } }, deps.now() + index * MINUTE_MS),
    );
    return performance.now() - startedAt;
  });
  return median(times);
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Bun.argv.slice(2),
    options: {
      quick: { type: "boolean", default: false },
      even: { type: "boolean", default: false },
    },
  });
  const startedAt = performance.now();
  console.log(`analytics\n${table(await benchAnalytics(values))}`);
  console.error(`took ${((performance.now() - startedAt) / SECOND_MS).toFixed(0)} s`);
  process.exit(0);
}
