import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { atLeast, type Figure, grouped, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn, untilIdle } from "./library.ts";
import type { LoadOptions, LoadResult } from "./load.ts";
import {
  freePort,
  helperCommand,
  runHelper,
  spawnDubplate,
  spawnServer,
  temporaryFolder,
} from "./processes.ts";

const CONNECTIONS = 64;
const AIMS = { single: 0.65, list: 0.6 };
const PATHS = 500;
const SAME = "raw Bun.serve, the same reads";
const LEAST = "raw Bun.serve, two reads alone";

type Target = { name: string; port: number; paths: string[]; results: LoadResult[] };

/**
 * Measures requests per second for a single track and for a page, beside a bare server that makes the same reads on
 * the same database. A second line shows a bare server with only the two reads of a minimal answer: the key's row,
 * and the track's or the page's, without tags, versions and measurements.
 */
export async function benchHttp({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const deps = openLibraryIn(folder);
  const owner = await createOwner(deps);
  const ids = addAnalysedTracks(deps, owner.accountId, quick ? 1000 : 10_000);
  closeLibrary(deps);

  const log = join(folder, "log");
  const product = spawnDubplate({ dataDir: folder, port: freePort(), log });
  await product.healthy();
  await untilIdle(folder);
  const port = freePort();
  const raw = spawnServer(helperCommand("raw-server", { dataDir: folder, port, trackId: ids[0] }), {
    port,
    log,
  });
  await raw.healthy();

  const some = ids.filter((_, index) => index % Math.ceil(ids.length / PATHS) === 0);
  const singles = (path: string) => some.map((id) => `${path}?id=${id}`);
  const target = (name: string, port: number, paths: string[]): Target => ({
    name,
    port,
    paths,
    results: [],
  });
  const targets = {
    single: target("single", product.port, singles("/api/v1/tracks/single")),
    singleTwo: target("single, two reads", port, singles("/two/single")),
    singleSame: target("single, the same reads", port, singles("/same/single")),
    list: target("list", product.port, ["/api/v1/tracks?limit=50"]),
    listTwo: target("list, two reads", port, ["/two/list"]),
    listSame: target("list, the same reads", port, ["/same/list"]),
    nothing: target("static", port, ["/static"]),
  };
  await measure(Object.values(targets), owner.key, quick);
  await product.stop();
  await raw.stop();

  return [
    figure("single-track GET, 64 connections", targets.single, SAME, targets.singleSame, AIMS.single),
    figure("", targets.single, LEAST, targets.singleTwo, AIMS.single),
    figure("list of 50, 64 connections", targets.list, SAME, targets.listSame, AIMS.list),
    figure("", targets.list, LEAST, targets.listTwo, AIMS.list),
    { what: "the client alone, static answer", figure: rate(targets.nothing) },
  ];
}

async function measure(targets: readonly Target[], key: string, quick: boolean): Promise<void> {
  const times = quick ? { warmUpMs: 200, durationMs: 300 } : { warmUpMs: 300, durationMs: 700 };
  for (let round = 0; round < (quick ? 1 : 5); round++)
    for (const { name, port, paths, results } of targets) {
      const options: LoadOptions = { port, key, paths, connections: CONNECTIONS, ...times };
      const result = await runHelper<LoadResult>("load", options);
      if (result.refused > 0)
        throw new Error(`${name}: ${result.refused} requests were not answered with 200`);
      results.push(result);
    }
}

const requestsPerSec = ({ results }: Target) => median(results.map((result) => result.requestsPerSec));
const rate = (target: Target) => `${grouped(requestsPerSec(target))} req/s`;

function figure(what: string, product: Target, name: string, yardstick: Target, aim?: number): Figure {
  const share = requestsPerSec(product) / requestsPerSec(yardstick);
  const p99 = median(product.results.map(({ p99Ms }) => p99Ms)).toFixed(1);
  return {
    what,
    figure: what === "" ? "" : `${rate(product)}, p99 ${p99} ms`,
    yardstick: `${name} ${rate(yardstick)}`,
    share,
    ...(aim !== undefined && { aim: atLeast(share, aim) }),
  };
}
