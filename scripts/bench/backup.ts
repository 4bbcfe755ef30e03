import { readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { importFile } from "../../src/modules/library/tracks/service.ts";
import { atLeast, atMost, type Figure } from "./figures.ts";
import { createOwner, type Owner, openLibraryIn, untilIdle } from "./library.ts";
import { startPacedReads } from "./paced-reads.ts";
import { DUBPLATE, freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "./processes.ts";
import { writeUndecodableWav } from "./upload.ts";

const AIM_SHARE = 0.7;
const AIM_MB = 150;
const AIM_TIMES = 2;
const SONG_BYTES = 64 * 2 ** 20;
const CLIENTS = 8;
const PATHS = ["/api/v1/tracks", "/api/v1/tracks/count", "/api/v1/playlists"];
const USUAL_MS = 5000;
const LOOK_MS = 20;

type Bench = { folder: string; dataDir: string; bytes: number; owner: Owner; server: ServerProcess };

/** Backup and restore of a large library beside `tar` of the same folder, their memory, and reads meanwhile. */
export async function benchBackup({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const songs = quick ? 8 : 160;
  refuseWithoutRoom(folder, songs * SONG_BYTES);
  const dataDir = join(folder, "data");
  const owner = await fill(dataDir, join(folder, "song.wav"), songs);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  await untilIdle(dataDir);
  const bench: Bench = { folder, dataDir, bytes: songs * SONG_BYTES, owner, server };
  const usualMs = await readsDuring(bench, () => Bun.sleep(USUAL_MS));
  const figures = await compareWithTar(bench, usualMs);
  await server.stop();
  return [...figures, await restore(bench)];
}

async function fill(dataDir: string, song: string, songs: number): Promise<Owner> {
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  for (let count = 0; count < songs; count++) {
    writeUndecodableWav(song, SONG_BYTES);
    await importFile(deps, owner.accountId, song);
  }
  closeLibrary(deps);
  rmSync(song);
  return owner;
}

/** Each reads the files once first and once second, so that what the system keeps in memory helps both. */
async function compareWithTar(bench: Bench, usualMs: number): Promise<Figure[]> {
  const seconds = { tar: 0, backup: 0 };
  let peakMb = 0;
  let readsMs = 0;
  for (const turn of ["tar", "backup", "backup", "tar"] as const) {
    const file = join(bench.folder, "backup.tar");
    rmSync(file, { force: true });
    if (turn === "tar") seconds.tar += (await timed(["tar", "cf", file, "-C", bench.dataDir, "."])).seconds;
    else
      readsMs = Math.max(
        readsMs,
        await readsDuring(bench, async () => {
          const run = await timed([...DUBPLATE, "backup", file], bench.dataDir);
          seconds.backup += run.seconds;
          peakMb = Math.max(peakMb, run.peakMb);
        }),
      );
    if (turn === "tar") rmSync(file);
  }
  // The second backup was removed by the turn after it.
  await timed([...DUBPLATE, "backup", join(bench.folder, "backup.tar")], bench.dataDir);
  const share = seconds.tar / seconds.backup;
  const gigabytes = (bench.bytes / 1e9).toFixed(1);
  return [
    {
      what: `backup of ${gigabytes} GB, while serving`,
      figure: rate(2 * bench.bytes, seconds.backup),
      yardstick: `tar ${rate(2 * bench.bytes, seconds.tar)}`,
      share,
      aim: atLeast(share, AIM_SHARE),
    },
    { what: "its memory", figure: `${peakMb.toFixed(0)} MB`, aim: atMost(peakMb, AIM_MB, "MB") },
    {
      what: "99th percentile of reads meanwhile",
      figure: `${readsMs.toFixed(1)} ms`,
      yardstick: `usually ${usualMs.toFixed(1)} ms`,
      aim: atMost(readsMs / usualMs, AIM_TIMES, "times the usual"),
    },
  ];
}

/** Returns the 99th percentile of the times of reads while something is done, ms. */
async function readsDuring({ server, owner }: Bench, work: () => Promise<unknown>): Promise<number> {
  const reads = await startPacedReads({ port: server.port, key: owner.key, paths: PATHS, clients: CLIENTS });
  await work();
  const times = reads.times();
  reads.stop();
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function restore({ folder, dataDir, bytes }: Bench): Promise<Figure> {
  const [file, restored, unpacked] = ["backup.tar", "restored", "unpacked"].map((name) => join(folder, name));
  if (!file || !restored || !unpacked) throw new RangeError("There are three names");
  const tar = await timed(["sh", "-c", `mkdir ${unpacked} && tar xf ${file} -C ${unpacked}`]);
  rmSync(unpacked, { recursive: true });
  const run = await timed([...DUBPLATE, "restore", file], restored);
  const compared = Bun.spawnSync(["diff", "-rq", join(dataDir, "audio"), join(restored, "audio")]);
  if (compared.exitCode !== 0) throw new Error(`The restored files differ: ${compared.stdout}`);
  return {
    what: `restore of it, every byte checked (${run.peakMb.toFixed(0)} MB of memory)`,
    figure: rate(bytes, run.seconds),
    yardstick: `tar ${rate(bytes, tar.seconds)}`,
    share: tar.seconds / run.seconds,
  };
}

const rate = (bytes: number, seconds: number) => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;

/** Runs a command to its end. Returns its time, and the most memory that its process had. */
async function timed(command: string[], dataDir?: string): Promise<{ seconds: number; peakMb: number }> {
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    env: { ...Bun.env, ...(dataDir !== undefined && { DATA_DIR: dataDir }) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let peakMb = 0;
  const looking = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, LOOK_MS);
  const said = await child.stderr.text();
  const code = await child.exited;
  clearInterval(looking);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${said}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb };
}

/** MB of 10^6 bytes; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const path = `/proc/${pid}/status`;
  try {
    return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, "utf8"))?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** The library, the backup, and what is unpacked of it. */
function refuseWithoutRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < 3.2 * bytes) throw new Error(`${folder} has no room for three times ${bytes} bytes`);
}
