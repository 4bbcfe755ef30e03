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
const AIM = 0.4;
// All their ids are passed as arguments of a process.
const TRACKS = 100;

type Call = NonNullable<LoadOptions["calls"]>[number];
type Target = { name: string; port: number; paths?: string[]; calls?: Call[]; results: LoadResult[] };

/**
 * Measures tool calls per second beside the same reads over REST, and beside a bare SDK server with one echo tool.
 */
export async function benchTools({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const deps = openLibraryIn(folder);
  const owner = await createOwner(deps);
  const ids = addAnalysedTracks(deps, owner.accountId, quick ? 1000 : 10_000).slice(0, TRACKS);
  closeLibrary(deps);

  const log = join(folder, "log");
  const product = spawnDubplate({ dataDir: folder, port: freePort(), log });
  await product.healthy();
  await untilIdle(folder);
  const echoPort = freePort();
  const bare = spawnServer(helperCommand("echo-server", { port: echoPort }), { port: echoPort, log });
  await bare.healthy();

  const { port } = product;
  const rest = (name: string, paths: string[]): Target => ({ name, port, paths, results: [] });
  const tool = (name: string, calls: Call[], at = port): Target => ({ name, port: at, calls, results: [] });
  const targets = {
    restSingle: rest(
      "GET /tracks/single",
      ids.map((id) => `/api/v1/tracks/single?id=${id}`),
    ),
    toolSingle: tool(
      "get_track",
      ids.map((trackId) => callOf("get_track", { trackId })),
    ),
    toolSingleFull: tool(
      "get_track, full",
      ids.map((trackId) => callOf("get_track", { trackId, detail: "full" })),
    ),
    restList: rest("GET /tracks?limit=50", ["/api/v1/tracks?limit=50"]),
    toolList: tool("list_tracks", [callOf("list_tracks", { limit: 50 })]),
    restCount: rest("GET /tracks/count", ["/api/v1/tracks/count"]),
    toolCount: tool("get_track_count", [callOf("get_track_count", {})]),
    echo: tool("echo", [callOf("echo", { text: "hello" })], echoPort),
  };
  await measure(Object.values(targets), owner.key, quick);
  await product.stop();
  await bare.stop();

  const { restSingle, restList, restCount, toolSingle, toolSingleFull, toolList, toolCount, echo } = targets;
  return [
    figure("get_track, 64 connections", toolSingle, restSingle, AIM),
    figure("get_track, full", toolSingleFull, restSingle, AIM),
    figure("list_tracks, 50 per page", toolList, restList, AIM),
    figure("get_track_count", toolCount, restCount),
    figure("", toolCount, { ...echo, name: "bare SDK server, one echo tool" }),
    figure("", toolSingle, { ...echo, name: "bare SDK server, one echo tool" }),
  ];
}

function callOf(tool: string, input: object): Call {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: input, _meta };
  return { tool, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }) };
}

async function measure(targets: readonly Target[], key: string, quick: boolean): Promise<void> {
  const times = quick ? { warmUpMs: 200, durationMs: 300 } : { warmUpMs: 700, durationMs: 2000 };
  for (let round = 0; round < (quick ? 1 : 5); round++)
    for (const { name, port, paths = [], calls, results } of targets) {
      const options: LoadOptions = {
        port,
        key,
        paths,
        ...(calls && { calls }),
        connections: CONNECTIONS,
        ...times,
      };
      const result = await runHelper<LoadResult>("load", options);
      if (result.refused > 0)
        throw new Error(`${name}: ${result.refused} requests were not answered with 200`);
      results.push(result);
    }
}

const perSec = ({ results }: Target) => median(results.map(({ requestsPerSec }) => requestsPerSec));

function figure(what: string, product: Target, yardstick: Target, aim?: number): Figure {
  const share = perSec(product) / perSec(yardstick);
  const p99 = median(product.results.map(({ p99Ms }) => p99Ms)).toFixed(1);
  return {
    what: what || product.name,
    figure: `${grouped(perSec(product))} calls/s, p99 ${p99} ms`,
    yardstick: `${yardstick.name} ${grouped(perSec(yardstick))}/s`,
    share,
    ...(aim !== undefined && { aim: atLeast(share, aim) }),
  };
}
