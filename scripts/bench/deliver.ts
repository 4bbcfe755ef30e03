import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { getPersonByEmail } from "../../src/modules/people/accounts/service.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import { atLeast, atMost, type Figure, median } from "./figures.ts";
import { createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { canMeasureMemory, forgetPeak, residentMb } from "./memory.ts";
import { DUBPLATE, freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "./processes.ts";
import { writeUndecodableWav } from "./upload.ts";

const TRACKS = 200;
const QUICK_TRACKS = 20;
const TRACK_BYTES = 10 * 2 ** 20;
const ROUNDS = 5;
/** So many packages are planned and sent before memory counts: they load modules. */
const WARM_UP = 2;
const AIM_SHARE = 0.8;
const AIM_GROWN_MB = 30;
const AIM_PLAN_MS = 300;

type Planned = { id: string; path: string; sizeBytes: number };

/** Plans a package of two hundred tracks of 2 GB in all, sends it beside `zip -0` of the same files, and writes it by the command. */
export async function benchDeliver({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench-deliver");
  const dataDir = join(folder, "data");
  const count = quick ? QUICK_TRACKS : TRACKS;
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  const account = getPersonByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  const originals = join(folder, "originals");
  mkdirSync(originals);
  const ids = await upload(server, { key, originals, count });
  await untilIdle(dataDir);

  const planMs: number[] = [];
  const times: { zip: number; archive: number }[] = [];
  const rounds = quick ? 1 : ROUNDS;
  const read = reader(server, token);
  let before = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    const begun = performance.now();
    const plan = await read.plan(ids);
    const [ms, zipMs] = [performance.now() - begun, await zipped(folder, originals)];
    if (round === 0) {
      before = residentMb(server.pid).now;
      forgetPeak(server.pid);
    }
    const archive = await read.archive(plan);
    if (round < 0) continue;
    planMs.push(ms);
    times.push({ zip: zipMs, archive });
  }
  const grownMb = Math.max(0, residentMb(server.pid).peak - before);
  await server.stop();
  const bytes = count * TRACK_BYTES;
  const [archiveMs, zipMs, planned] = [
    median(times.map(({ archive }) => archive)),
    median(times.map(({ zip }) => zip)),
    median(planMs),
  ];
  const mbPerSec = (ms: number) => `${((bytes / 1e6 / ms) * 1000).toFixed(0)} MB/s`;
  const share = zipMs / archiveMs;
  return [
    {
      what: `a package of ${count} tracks is planned`,
      figure: `${planned.toFixed(0)} ms`,
      aim: atMost(planned, AIM_PLAN_MS, "ms"),
    },
    {
      what: `its archive of ${(bytes / 1e9).toFixed(1)} GB is sent`,
      figure: mbPerSec(archiveMs),
      ...(Number.isFinite(share) && {
        yardstick: `zip -0 ${mbPerSec(zipMs)}`,
        share,
        aim: atLeast(share, AIM_SHARE),
      }),
    },
    ...(canMeasureMemory
      ? [
          {
            what: `memory growth while ${rounds} are sent`,
            figure: `${grownMb.toFixed(0)} MB`,
            yardstick: `before ${before.toFixed(0)} MB`,
            aim: atMost(grownMb, AIM_GROWN_MB, "MB"),
          },
          await ofCommand(dataDir, folder, ids[0] ?? ""),
        ]
      : []),
  ];
}

/** Uploads songs as an album of the name `Bench`. Returns the tracks' ids. */
async function upload(
  { address }: ServerProcess,
  { key, originals, count }: { key: string; originals: string; count: number },
): Promise<string[]> {
  const post = async (path: string, body: FormData | string) => {
    const headers = {
      "x-api-key": key,
      ...(typeof body === "string" && { "content-type": "application/json" }),
    };
    const response = await fetch(`${address}/api/v1${path}`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { data: { uploaded: { id: string }[] } };
  };
  const ids: string[] = [];
  for (let track = 0; track < count; track++) {
    const file = join(originals, `song ${track}.wav`);
    writeUndecodableWav(file, TRACK_BYTES);
    const form = new FormData();
    form.append("files", Bun.file(file), `song ${track}.wav`);
    ids.push(...(await post("/tracks/upload", form)).data.uploaded.map(({ id }) => id));
  }
  await post("/playlists", JSON.stringify({ name: "Bench", trackIds: ids }));
  return ids;
}

function reader({ address }: ServerProcess, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    plan: async (ids: readonly string[]): Promise<Planned> => {
      const body = JSON.stringify({ where: { ids }, profile: "store", name: "Bench" });
      const response = await fetch(`${address}/app/deliveries`, { method: "POST", headers, body });
      return ((await response.json()) as { data: Planned }).data;
    },
    /** Takes an archive to its end. Returns the milliseconds. */
    archive: async ({ path, sizeBytes }: Planned): Promise<number> => {
      const begun = performance.now();
      const response = await fetch(`${address}${path}`, { headers });
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += chunk.length;
      if (bytes !== sizeBytes) throw new Error(`The archive has ${bytes} of ${sizeBytes} bytes`);
      return performance.now() - begun;
    },
  };
}

/** Returns the milliseconds that `zip -0` takes to send the originals to a reader; NaN where it is not installed. */
async function zipped(folder: string, originals: string): Promise<number> {
  if (Bun.which("zip") === null) return Number.NaN;
  const begun = performance.now();
  const child = Bun.spawn(["zip", "-0", "-q", "-r", "-", originals], { cwd: folder, stdout: "pipe" });
  for await (const _ of child.stdout);
  await child.exited;
  return performance.now() - begun;
}

/** Measures what the command needs for all tracks more than for one. */
async function ofCommand(dataDir: string, folder: string, trackId: string): Promise<Figure> {
  const peakMb = async (...what: string[]) => {
    const out = join(folder, "out");
    mkdirSync(out);
    const command = [...DUBPLATE, "deliver", ...what, "--email", "bench@example.com", out];
    const env = { ...Bun.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
    const child = Bun.spawn(command, { env, stdout: "ignore", stderr: "inherit" });
    if ((await child.exited) !== 0) throw new Error("dubplate deliver failed");
    rmSync(out, { recursive: true });
    return (child.resourceUsage()?.maxRSS ?? Number.NaN) / 1e6;
  };
  const one = await peakMb("--track", trackId);
  const grownMb = Math.max(0, (await peakMb("--playlist", "Bench")) - one);
  return {
    what: "memory growth of `dubplate deliver`",
    figure: `${grownMb.toFixed(0)} MB`,
    yardstick: `one track ${one.toFixed(0)} MB`,
    aim: atMost(grownMb, AIM_GROWN_MB, "MB"),
  };
}
