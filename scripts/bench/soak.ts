import { join } from "node:path";
import { SAMPLE_RATE_HZ, silence } from "../../src/demo/dsp/audio.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { closeLibrary } from "../../src/library.ts";
import { atMost, type Figure, grouped } from "./figures.ts";
import { createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { canMeasureMemory, residentMb } from "./memory.ts";
import { freePort, runHelper, type ServerProcess, spawnDubplate, temporaryFolder } from "./processes.ts";
import { QUERIES } from "./search.ts";
import { addSearchLibrary } from "./search-library.ts";
import type { SoakLoadOptions, SoakLoadResult } from "./soak-load.ts";

/** Duration and size. The default is ten minutes on a hundred thousand tracks. */
export type SoakOptions = { seconds?: number | undefined; tracks?: number | undefined };

const SECONDS = 600;
const TRACKS = 100_000;
const CONNECTIONS = 64;
/** Memory is printed for ten parts of the run: per minute by default, for shorter parts in a shorter run. */
const PARTS = 10;
/** Allowed growth of memory from the second part to the last, as a share. */
const AIM_GROWTH = 0.1;
const LEAST_SECONDS = 300;
const READ = 2000;
const SOUNDS = 4;
const SOUND_SEC = 20;
const LOOK_EVERY_MS = 50;

/**
 * Runs a load like that of many people and programs at once, for minutes: reads, searches, writes and audio
 * streams. Every answer is compared with the expected one.
 *
 * @throws Error that lists the first wrong answers, if there are any.
 */
export async function benchSoak({ seconds = SECONDS, tracks = TRACKS }: SoakOptions): Promise<Figure[]> {
  const folder = temporaryFolder("soak");
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  addSearchLibrary(deps, owner.accountId, tracks);
  const trackIds = deps.db.$client
    .query<{ id: string }, [number]>("SELECT id FROM tracks ORDER BY seq LIMIT ?")
    .all(READ)
    .map(({ id }) => id);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  const streams = await uploadSounds(server, owner.key, folder);
  await untilIdle(dataDir);

  const watch = watchServer(server, (seconds * 1000) / PARTS);
  const options: SoakLoadOptions = {
    address: server.address,
    key: owner.key,
    connections: CONNECTIONS,
    durationMs: seconds * 1000,
    trackIds,
    queries: QUERIES,
    streams,
  };
  const result = await runHelper<SoakLoadResult>("soak-load", options);
  const watched = watch.stop();
  await server.stop();
  if (result.errors > 0)
    throw new Error(`${result.errors} wrong answers, such as:\n${result.firstErrors.join("\n")}`);
  return figuresOf(result, watched, seconds);
}

/** Uploads audio whose bytes are known, and returns the addresses of its downloads. */
async function uploadSounds(
  { address }: ServerProcess,
  key: string,
  folder: string,
): Promise<SoakLoadOptions["streams"]> {
  const random = randomFrom("soak");
  const files = Array.from({ length: SOUNDS }, (_, index) => join(folder, `sound-${index}.wav`));
  const form = new FormData();
  for (const file of files) {
    const sound = silence(SOUND_SEC * SAMPLE_RATE_HZ);
    for (let i = 0; i < sound.left.length; i++) sound.left[i] = sound.right[i] = random() - 0.5;
    await Bun.write(file, encodeWav(sound, []));
    form.append("files", Bun.file(file));
  }
  const headers = { "x-api-key": key };
  const post = await fetch(`${address}/api/v1/tracks/upload`, { method: "POST", headers, body: form });
  if (!post.ok) throw new Error(`The upload was answered ${post.status}: ${await post.text()}`);
  const { data } = (await post.json()) as { data: { uploaded: { id: string }[] } };
  return Promise.all(
    data.uploaded.map(async ({ id }, index) => {
      const answer = await fetch(`${address}/api/v1/tracks/${id}/versions`, { headers });
      const { data } = (await answer.json()) as { data: { versions: { downloadUrl: string }[] } };
      const { pathname, search } = new URL(data.versions[0]?.downloadUrl ?? "");
      return { path: `${pathname}${search}`, file: files[index] ?? "" };
    }),
  );
}

type Watched = { partsMb: number[]; lagsMs: number[] };

/** Watches a server's memory, and how long a minimal request waits for its event loop. */
function watchServer({ pid, address }: ServerProcess, partMs: number): { stop: () => Watched } {
  const startedAt = performance.now();
  const parts: number[][] = [];
  const lagsMs: number[] = [];
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await fetch(`${address}/health`).then((response) => response.text());
      lagsMs.push(performance.now() - askedAt);
      const part = Math.floor((askedAt - startedAt) / partMs);
      parts[part] ??= [];
      if (canMeasureMemory) parts[part].push(residentMb(pid).now);
      await Bun.sleep(LOOK_EVERY_MS);
    }
  };
  // If the server is gone, the load reports it: all its requests fail.
  look().catch(() => undefined);
  return {
    stop() {
      isOver = true;
      const means = parts.map((all) => all.reduce((sum, mb) => sum + mb, 0) / all.length);
      return {
        partsMb: means.filter(Number.isFinite).slice(0, PARTS),
        lagsMs: lagsMs.toSorted((a, b) => a - b),
      };
    },
  };
}

function figuresOf({ kinds, errors }: SoakLoadResult, watched: Watched, seconds: number): Figure[] {
  const { partsMb, lagsMs } = watched;
  const [second = Number.NaN, last = Number.NaN] = [partsMb[1], partsMb.at(-1)];
  const growth = last / second - 1;
  const answers = kinds.reduce((sum, { count }) => sum + count, 0);
  const lagAt = (share: number) => (lagsMs.at(Math.floor(share * lagsMs.length)) ?? Number.NaN).toFixed(1);
  return [
    {
      what: `${grouped(answers)} requests on ${CONNECTIONS} connections, ${seconds} s`,
      figure: `${errors} wrong`,
      aim: atMost(errors, 0, "wrong"),
    },
    ...kinds.map(({ kind, count, p50Ms, p99Ms }) => ({
      what: `${kind} (${grouped(count)})`,
      figure: `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    })),
    {
      what: "event loop, wait of a minimal request",
      figure: `p50 ${lagAt(0.5)} ms, p99 ${lagAt(0.99)} ms, worst ${lagsMs.at(-1)?.toFixed(1)} ms`,
    },
    ...(partsMb.length < 2
      ? []
      : [
          {
            what: `memory, each ${seconds / PARTS} s`,
            figure: `${partsMb.map((mb) => mb.toFixed(0)).join(" ")} MB`,
            yardstick: `the last to the second ${(100 * growth).toFixed(0)} %`,
            // The first seconds of a short run do not predict the hundredth.
            ...(seconds >= LEAST_SECONDS && { aim: atMost(growth, AIM_GROWTH, "more") }),
          },
        ]),
  ];
}
