import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import type { CopyResult } from "./copy.ts";
import { atLeast, atMost, type Figure, median } from "./figures.ts";
import { createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { canMeasureMemory, forgetPeak, residentMb } from "./memory.ts";
import { freePort, runHelper, spawnDubplate, temporaryFolder } from "./processes.ts";
import { type Bench, benchPiece } from "./resumable.ts";
import type { SendResult } from "./send.ts";

const AIM_SHARE = 0.7;
const AIM_MB = 64;
const AT_ONCE = 8;

/** Measures the speed of a large upload beside copying the same file, and the memory that uploads take. */
export async function benchUpload({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const sizeBytes = quick ? 256 * 2 ** 20 : 2 ** 30;
  const file = join(folder, "large.wav");
  writeUndecodableWav(file, sizeBytes);
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  const bench: Bench = { folder, file, sizeBytes, owner, server };

  // A first upload and analysis load modules, which must not count as the cost of an upload.
  const small = join(folder, "small.wav");
  writeUndecodableWav(small, 2 ** 20);
  await upload({ ...bench, file: small }, 1);
  const figures = [await speed(bench, quick ? 1 : 5), ...(await benchPiece(bench, quick ? 1 : 5))];
  if (canMeasureMemory) figures.push(await growth(bench, 1));
  if (canMeasureMemory && hasRoom(folder, (AT_ONCE + 1) * sizeBytes))
    figures.push(await growth(bench, AT_ONCE));
  await server.stop();
  return figures;
}

/** Writes a WAV with an unknown codec: its analysis fails at once and does not disturb the figures. */
export function writeUndecodableWav(path: string, sizeBytes: number): void {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(sizeBytes - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(0x7777, 20);
  header.writeUInt32LE(48_000, 24);
  header.write("data", 36);
  header.writeUInt32LE(sizeBytes - 44, 40);
  const file = openSync(path, "w");
  const block = crypto.getRandomValues(Buffer.alloc(65_536));
  writeSync(file, header);
  for (let left = sizeBytes - header.length; left > 0; left -= block.length)
    writeSync(file, block, 0, Math.min(left, block.length));
  closeSync(file);
}

async function speed(bench: Bench, rounds: number): Promise<Figure> {
  const { folder, file, sizeBytes } = bench;
  const to = join(folder, "copy");
  const times: { upload: number; copy: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const copied = await runHelper<CopyResult>("copy", { from: file, to });
    rmSync(to);
    const sent = await upload(bench, 1);
    times.push({ upload: sent.elapsedMs, copy: copied.elapsedMs });
  }
  const mbPerSec = (ms: number) => `${((sizeBytes / 1e6 / ms) * 1000).toFixed(0)} MB/s`;
  const [uploadMs, copyMs] = [
    median(times.map((time) => time.upload)),
    median(times.map((time) => time.copy)),
  ];
  const share = copyMs / uploadMs;
  return {
    what: `upload of ${sizeBytes / 2 ** 20} MiB`,
    figure: mbPerSec(uploadMs),
    yardstick: `read, hash, write, fsync ${mbPerSec(copyMs)}`,
    share,
    aim: atLeast(share, AIM_SHARE),
  };
}

async function growth(bench: Bench, uploads: number): Promise<Figure> {
  const { server, sizeBytes } = bench;
  const before = residentMb(server.pid).now;
  forgetPeak(server.pid);
  const { elapsedMs } = await upload(bench, uploads);
  const { peak } = residentMb(server.pid);
  const grownMb = Math.max(0, peak - before);
  const mbPerSec = ((uploads * sizeBytes) / 1e6 / elapsedMs) * 1000;
  return {
    what: `memory growth, ${uploads} at once`,
    figure: `${grownMb.toFixed(0)} MB (${mbPerSec.toFixed(0)} MB/s in all)`,
    yardstick: `idle ${before.toFixed(0)} MB`,
    aim: atMost(grownMb, AIM_MB, "MB"),
  };
}

/** Uploads files, and waits until no analysis is left. */
async function upload({ folder, file, owner, server }: Bench, uploads: number): Promise<SendResult> {
  const result = await runHelper<SendResult>("send", { port: server.port, key: owner.key, file, uploads });
  await untilIdle(join(folder, "data"));
  return result;
}

function hasRoom(folder: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > bytes * 1.2;
}
