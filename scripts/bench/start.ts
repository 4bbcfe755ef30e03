import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { canMeasureMemory, residentMb } from "./memory.ts";
import { freePort, type ServerProcess, spawnDubplate, spawnServer, temporaryFolder } from "./processes.ts";

const AIM_MS = 250;
const AIM_MB = 80;
const IDLE_MS = 3000;
const TRACKS = 1000;
const BARE =
  'Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: () => new Response("ok") })';

/**
 * Measures the time from the start of the process to the first answer, and the idle memory, beside a bare
 * `Bun.serve`.
 */
export async function benchStart({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const deps = openLibraryIn(folder);
  addAnalysedTracks(deps, (await createOwner(deps)).accountId, TRACKS);
  closeLibrary(deps);
  const log = join(folder, "log");
  const servers = {
    product: () => spawnDubplate({ dataDir: folder, port: freePort(), log }),
    bare: () => spawnServer([process.execPath, "-e", BARE], { port: freePort(), log }),
  };

  const times: { product: number; bare: number }[] = [];
  for (let round = 0; round < (quick ? 2 : 11); round++)
    times.push({ bare: await startAndStop(servers.bare()), product: await startAndStop(servers.product()) });
  const productMs = median(times.map(({ product }) => product));
  const bareMs = median(times.map(({ bare }) => bare));
  const slowestMs = Math.max(...times.map(({ product }) => product));
  const figures: Figure[] = [
    {
      what: "start to first 200 of /health",
      figure: `${productMs.toFixed(0)} ms (slowest ${slowestMs.toFixed(0)})`,
      yardstick: `bare Bun.serve ${bareMs.toFixed(0)} ms`,
      aim: atMost(productMs, AIM_MS, "ms"),
    },
  ];
  if (!canMeasureMemory) return figures;
  const productMb = await idleMb(servers.product());
  const bareMb = await idleMb(servers.bare());
  figures.push({
    what: `idle memory, ${IDLE_MS / 1000} s after start`,
    figure: `${productMb.toFixed(0)} MB`,
    yardstick: `bare Bun.serve ${bareMb.toFixed(0)} MB`,
    aim: atMost(productMb, AIM_MB, "MB"),
  });
  return figures;
}

async function startAndStop(server: ServerProcess): Promise<number> {
  const elapsedMs = await server.healthy();
  await server.stop();
  return elapsedMs;
}

async function idleMb(server: ServerProcess): Promise<number> {
  await server.healthy();
  await Bun.sleep(IDLE_MS);
  const { now } = residentMb(server.pid);
  await server.stop();
  return now;
}
