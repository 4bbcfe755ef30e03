import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { atLeast, atMost, type Figure, median } from "./figures.ts";
import { createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { canMeasureMemory, forgetPeak, residentMb } from "./memory.ts";
import { freePort, runHelper, type ServerProcess, spawnDubplate, temporaryFolder } from "./processes.ts";
import type { ReceiveOptions, ReceiveResult } from "./receive.ts";
import type { SendResult } from "./send.ts";
import { writeUndecodableWav } from "./upload.ts";

const AIM_SHARE = 0.8;
const AIM_MB = 16;
const NOTES = 200;

/** Downloads a WAV with its notes as cue points, beside the same file without them, and measures the memory that it takes. */
export async function benchMarkers({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench-markers");
  const dataDir = join(folder, "data");
  const file = join(folder, "large.wav");
  const sizeBytes = quick ? 128 * 2 ** 20 : 2 ** 29;
  writeUndecodableWav(file, sizeBytes);
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  await runHelper<SendResult>("send", { port: server.port, key, file, uploads: 1 });
  await untilIdle(dataDir);
  const { plain, marked } = await addNotes(server, key);

  const [first, both] = [await receive(plain), await receive(marked)];
  if (both.bytes <= first.bytes) throw new Error("The copy has no cue points");
  const figures = [await speed({ plain, marked, sizeBytes }, quick ? 3 : 9)];
  if (canMeasureMemory) figures.push(await growth(server, { plain, marked }));
  await server.stop();
  return figures;
}

const receive = (options: ReceiveOptions) => runHelper<ReceiveResult>("receive", options);

/** Returns the addresses of the only track's file, without and with notes. */
async function addNotes({ address }: ServerProcess, key: string) {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${address}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the program's own interface
    return ((await response.json()) as any).data;
  };
  const [track] = await call("GET", "/tracks?limit=1");
  const trackId: string = track.id;
  for (let at = 0; at < NOTES; at++)
    await call("POST", `/tracks/${trackId}/comments`, { text: `Note ${at}`, positionSec: at });
  const { versions } = await call("GET", `/tracks/${trackId}/versions`);
  const { pathname, search } = new URL(versions[0].downloadUrl);
  const notes = `${address}/api/v1/tracks/${trackId}/versions/${versions[0].id}/notes?format=wav`;
  return {
    plain: { url: address + pathname + search },
    marked: { url: notes, headers: { "x-api-key": key } },
  };
}

type Downloads = { plain: ReceiveOptions; marked: ReceiveOptions };

async function speed(
  { plain, marked, sizeBytes }: Downloads & { sizeBytes: number },
  rounds: number,
): Promise<Figure> {
  const times: { plain: number; marked: number }[] = [];
  for (let round = 0; round < rounds; round++)
    times.push({ plain: (await receive(plain)).elapsedMs, marked: (await receive(marked)).elapsedMs });
  const [markedMs, plainMs] = [
    median(times.map((each) => each.marked)),
    median(times.map((each) => each.plain)),
  ];
  const mbPerSec = (ms: number) => `${((sizeBytes / 1e6 / ms) * 1000).toFixed(0)} MB/s`;
  const share = plainMs / markedMs;
  return {
    what: `a WAV of ${sizeBytes / 2 ** 20} MiB with ${NOTES} cue points`,
    figure: mbPerSec(markedMs),
    yardstick: `plain download ${mbPerSec(plainMs)}`,
    share,
    aim: atLeast(share, AIM_SHARE),
  };
}

async function growth(server: ServerProcess, { plain, marked }: Downloads): Promise<Figure> {
  const grownBy = async (download: ReceiveOptions) => {
    const before = residentMb(server.pid).now;
    forgetPeak(server.pid);
    await receive(download);
    return Math.max(0, residentMb(server.pid).peak - before);
  };
  const [plainMb, markedMb] = [await grownBy(plain), await grownBy(marked)];
  return {
    what: "memory growth meanwhile",
    figure: `${markedMb.toFixed(1)} MB`,
    yardstick: `plain download ${plainMb.toFixed(1)} MB`,
    aim: atMost(markedMb, AIM_MB, "MB"),
  };
}
