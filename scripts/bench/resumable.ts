import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atLeast, type Figure, median } from "./figures.ts";
import type { Owner } from "./library.ts";
import { freePort, runHelper, type ServerProcess, spawnServer } from "./processes.ts";
import type { SendResult } from "./send.ts";

const AIM_SHARE = 0.9;

/** A server to upload to, and a file of unknown sound. */
export type Bench = { folder: string; file: string; sizeBytes: number; owner: Owner; server: ServerProcess };

type Target = { port: number; key: string; path: string; folder: string };

/**
 * Measures one piece that is a whole resumable upload, beside tusd by turns: its own server for the same protocol, which
 * neither hashes nor flushes what it takes. Measures nothing where tusd is not installed.
 */
export async function benchPiece(
  { folder, file, sizeBytes, owner, server }: Bench,
  rounds: number,
): Promise<Figure[]> {
  const tusd = Bun.which("tusd");
  if (tusd === null) return [];
  const theirs = join(folder, "tusd");
  mkdirSync(theirs);
  const port = freePort();
  const command = [tusd, "-host", "127.0.0.1", "-port", String(port), "-upload-dir", theirs];
  const yardstick = spawnServer(command, { port, log: join(folder, "tusd.log") });
  const targets = {
    tusd: { port, key: "", path: "/files/", folder: theirs },
    ours: {
      port: server.port,
      key: owner.key,
      path: "/api/v1/uploads",
      folder: join(folder, "data/uploads"),
    },
  };
  await untilAnswers(`${yardstick.address}/files/`);
  const times: { tusd: number; ours: number }[] = [];
  for (let round = 0; round < rounds; round++)
    times.push({
      tusd: await sendPiece(targets.tusd, file, sizeBytes),
      ours: await sendPiece(targets.ours, file, sizeBytes),
    });
  await yardstick.stop();

  const [oursMs, tusdMs] = [median(times.map(({ ours }) => ours)), median(times.map(({ tusd: ms }) => ms))];
  const mbPerSec = (ms: number) => `${((sizeBytes / 1e6 / ms) * 1000).toFixed(0)} MB/s`;
  const share = tusdMs / oursMs;
  return [
    {
      what: `one PATCH of ${sizeBytes / 2 ** 20} MiB`,
      figure: mbPerSec(oursMs),
      yardstick: `tusd ${mbPerSec(tusdMs)}`,
      share,
      aim: atLeast(share, AIM_SHARE),
    },
  ];
}

async function untilAnswers(url: string): Promise<void> {
  while (!(await fetch(url).then(Boolean, () => false))) await Bun.sleep(20);
}

async function sendPiece(
  { port, key, path, folder }: Target,
  file: string,
  sizeBytes: number,
): Promise<number> {
  const metadata = `filename ${btoa("large.wav")}`;
  const begun = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: {
      "tus-resumable": "1.0.0",
      "upload-length": String(sizeBytes),
      "upload-metadata": metadata,
      ...(key && { "x-api-key": key }),
    },
  });
  const location = begun.headers.get("location");
  if (begun.status !== 201 || location === null)
    throw new Error(`No upload was begun: ${await begun.text()}`);
  const resumable = new URL(location, begun.url).pathname;
  const { elapsedMs } = await runHelper<SendResult>("send", { port, key, file, uploads: 1, resumable });
  // What stays behind would fill the page cache and slow the next one down.
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  return elapsedMs;
}
