import { readSettings } from "../../src/config.ts";
import { closeLibrary } from "../../src/library.ts";
import { getPersonByEmail } from "../../src/modules/people/accounts/service.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import { type Served, startServer } from "../../src/server.ts";
import { atLeast, atMost, type Figure, grouped, median } from "./figures.ts";
import { createOwner, type Owner, openLibraryIn } from "./library.ts";
import { compareNearest } from "./nearest.ts";
import { runHelper, temporaryFolder } from "./processes.ts";
import { addTrack, recallOf } from "./recall.ts";
import { addSearchLibrary, oneMoreTrack } from "./search-library.ts";
import type { SearchLoadOptions, SearchLoadResult } from "./search-load.ts";
import { firstSearch, untilKept } from "./search-start.ts";
import { comparedByTurns, type Turns } from "./turns.ts";

const DIMENSIONS = 96;
/** Searches of many kinds: tags, numbers, words, negations, long and short. */
export const QUERIES: readonly object[] = [
  { query: "dark techno, 128-134 bpm, no vocals" },
  { query: "warm acoustic folk for a summer advert, about two minutes, no drums" },
  { query: "tense cinematic strings, slow build, minor key, instrumental", limit: 50 },
  { query: "something with kalomi in the words" },
  { query: "happy upbeat pop with guitar and claps, 120-125 bpm, energetic but not cheesy, under 3 minutes" },
  { query: "anything", constraints: { bpmRange: [100, 110], key: "A minor" } },
  { query: "dreamy ambient, soft piano, hopeful", constraints: { durationRange: [120, 180] } },
  { query: "aggressive metal with heavy drums, no synths, not epic" },
  { query: "nostalgic 80s synthwave for a night drive, 100 bpm, in F# minor" },
  { query: "like Artist 77, mellow, late night, jazz" },
  { query: "the longest dark techno, uploaded since January" },
  { query: "never played, newest first" },
];
/** Searches for what the library stores, alone and beside the music. */
const FACTS: readonly object[] = [
  { query: "dark techno without a cover" },
  { query: "never sent to anybody, warm" },
  { query: "more than five plays" },
  { query: "most played" },
  { query: "louder than -9 LUFS, energetic" },
  { query: "changed this month, without an ISRC" },
  { query: "explicit techno" },
  { query: "wav files with lyrics missing" },
];
const AIMS = {
  p95: new Map([
    [100_000, 25],
    [1_000_000, 110],
  ]),
  onePerFamily: 1.05,
  lagMs: 5,
  findableMs: 1000,
  times: 10,
};
const RECALL_QUERIES = 20;
const IDLE_MS = 2000;

type Measured = {
  timesMs: number[];
  /** Processor time of the server per search, its idle jobs included. */
  cpuMs: number;
  /** The same searches by turns: as they are, with one result per set, and once more as they are. */
  turns: Turns;
  factsMs: number[];
  lagMs: number;
  idleLagMs: number;
  findableMs: number;
  recall: number;
  loadMs: number;
  first: Figure;
};

/**
 * Measures complete searches over HTTP in libraries of one account, and the lag of the server's event loop
 * meanwhile. Beside them: the vector extension's scan, a plain loop and a maintained library, over the same number
 * of vectors in the same run.
 */
export async function benchSearch({
  quick,
  million,
}: {
  quick: boolean;
  million: boolean;
}): Promise<Figure[]> {
  const sizes = quick ? [2000] : [10_000, 100_000, ...(million ? [1_000_000] : [])];
  const figures: Figure[] = [];
  for (const size of sizes) {
    const measured = await measure(size, quick ? 20 : 200);
    figures.push(...figuresOf(size, measured), ...compareNearest(size, DIMENSIONS, atLeastTimes(size)));
  }
  return figures;
}

const atLeastTimes = (size: number) => (size === 100_000 ? AIMS.times : undefined);

async function measure(size: number, searches: number): Promise<Measured> {
  const dataDir = temporaryFolder("bench-search");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  const person = getPersonByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, person, { ip: "127.0.0.1", userAgent: null });
  addSearchLibrary(deps, owner.accountId, size);
  closeLibrary(deps);

  const settings = readSettings({ LOG_LEVEL: "warn", RATE_LIMIT: "0", HOST: "127.0.0.1" });
  const served = startServer({ ...settings, dataDir, port: 0 });
  let measured: Omit<Measured, "first">;
  try {
    measured = await measureRunning(served, owner, searches);
  } finally {
    await served.stop();
  }
  const [query = {}] = QUERIES;
  const headers = { authorization: `Bearer ${token}` };
  const first = await firstSearch(
    dataDir,
    { name: nameOf(size), size },
    {
      open: async (address) => (await fetch(`${address}/app/shares`, { headers })).text(),
      search: (address) => search(address, owner.key, query),
    },
  );
  return { ...measured, first };
}

async function measureRunning(
  served: Served,
  owner: Owner,
  searches: number,
): Promise<Omit<Measured, "first">> {
  const startedAt = performance.now();
  await load(served, owner, QUERIES.length, 1);
  const loadMs = performance.now() - startedAt;
  await untilKept(served.deps.db, owner.accountId);
  const idle = watchLag();
  await Bun.sleep(IDLE_MS);
  const idleLagMs = idle.stop();
  const lag = watchLag();
  const cpu = process.cpuUsage();
  const { timesMs } = await load(served, owner, searches, 1);
  const used = process.cpuUsage(cpu);
  const cpuMs = (used.user + used.system) / 1000 / searches;
  const lagMs = lag.stop();
  const { timesMs: factsMs } = await load(served, owner, searches, 1, FACTS);
  const folded = QUERIES.map((body) => ({ ...body, onePerFamily: true }));
  const turns = await comparedByTurns(
    { before: QUERIES, after: folded, rounds: Math.ceil(searches / TURNS) },
    async (queries) => (await load(served, owner, queries.length, 1, queries)).timesMs,
  );
  const findableMs = await findable(served, owner);
  return {
    timesMs,
    cpuMs,
    turns,
    factsMs,
    lagMs,
    idleLagMs,
    findableMs,
    recall: await recallOf(served.deps.db, {
      ownerId: owner.accountId,
      seeds: RECALL_QUERIES,
      search: (body) => search(served.address, owner.key, body),
    }),
    loadMs,
  };
}

/** One round by turns for so many searches. */
const TURNS = 10;

const nameOf = (size: number) => `${grouped(size)} tracks:`;

function load(
  { address }: Served,
  { key }: Owner,
  count: number,
  connections: number,
  queries: readonly object[] = QUERIES,
) {
  const options: SearchLoadOptions = { address, key, queries, count, connections };
  return runHelper<SearchLoadResult>("search-load", options);
}

/** Measures how late this thread's timers fire. The client is another process, so the server causes the delay. */
function watchLag(): { stop: () => number } {
  const everyMs = 2;
  let [worst, expected] = [0, performance.now() + everyMs];
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - expected);
    expected = performance.now() + everyMs;
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return worst;
    },
  };
}

/** Measures the time from the commit of a searchable track to the first answer that contains it. */
async function findable({ deps, address }: Served, { accountId, key }: Owner): Promise<number> {
  const title = "zanzibarbershop";
  const id = addTrack(deps.db, oneMoreTrack(accountId, Date.now(), title));
  const startedAt = performance.now();
  for (;;) {
    const results = await search(address, key, { query: title });
    if (results.some((result) => result.id === id)) return performance.now() - startedAt;
    if (performance.now() - startedAt > 10 * AIMS.findableMs) return Number.POSITIVE_INFINITY;
  }
}

async function search(address: string, key: string, body: object): Promise<{ id: string }[]> {
  const response = await fetch(`${address}/api/v1/tracks/search`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data: { results: { id: string }[] } };
  return answer.data.results;
}

const quartiles = ({ low, high }: Turns["ratio"]) => `${low.toFixed(3)} to ${high.toFixed(3)}`;

function p95Of(timesMs: readonly number[]): number {
  return timesMs.toSorted((a, b) => a - b)[Math.floor(timesMs.length * 0.95)] ?? Number.NaN;
}

function figuresOf(
  size: number,
  { timesMs, cpuMs, turns, factsMs, lagMs, idleLagMs, findableMs, recall, loadMs, first }: Measured,
): Figure[] {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const p95 = p95Of(timesMs);
  const aim = AIMS.p95.get(size);
  const name = nameOf(size);
  return [
    first,
    {
      what: `${name} search over HTTP, p95`,
      figure: `${p95.toFixed(1)} ms`,
      yardstick: `p50 ${median(sorted).toFixed(1)} ms, ${cpuMs.toFixed(1)} ms of processor time, first ten ${(loadMs / 1000).toFixed(1)} s with reading the database`,
      ...(aim !== undefined && { aim: atMost(p95, aim, "ms") }),
    },
    {
      what: `${name} search for stored facts, p95`,
      figure: `${p95Of(factsMs).toFixed(1)} ms`,
      yardstick: `p50 ${median(factsMs.toSorted((a, b) => a - b)).toFixed(1)} ms`,
    },
    {
      what: `${name} with one result per set, p95 of it to p95 without, by turns`,
      figure: `${turns.ratio.median.toFixed(3)} times`,
      yardstick: `quartiles ${quartiles(turns.ratio)}; the same against the same ${turns.control.median.toFixed(3)} (${quartiles(turns.control)})`,
      ...(size >= 10_000 && { aim: atMost(turns.ratio.median, AIMS.onePerFamily, "times") }),
    },
    {
      what: `${name} worst lag of the event loop meanwhile`,
      figure: `${lagMs.toFixed(1)} ms`,
      yardstick: `${idleLagMs.toFixed(1)} ms with nothing to do`,
      aim: atMost(lagMs, Math.max(AIMS.lagMs, idleLagMs), "ms"),
    },
    {
      what: `${name} a new track is found after`,
      figure: `${findableMs.toFixed(0)} ms`,
      aim: atMost(findableMs, AIMS.findableMs, "ms"),
    },
    {
      what: `${name} recall@10 against the full scan`,
      figure: recall.toFixed(3),
      aim: atLeast(recall, 1),
    },
  ];
}
