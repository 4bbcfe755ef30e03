/**
 * Prints how long a piece takes from its upload to the end of its analysis in a library of 200 tracks, where new tracks are compared with
 * the others and where they are not, by turns, and what comparing takes of a processor. The sound is made before the clock starts: half of
 * the pieces are instrumentals of songs that are there.
 *
 * usage: bun scripts/bench-relating.ts [--tracks 200] [--pieces 10] [--rounds 5] [--seconds 30]
 * Linux only: it reads the times of processes. Of the figures, only the ratio means something on a busy machine.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeLibrary } from "../src/library.ts";
import { wavBytes } from "../test/support/signals.ts";
import { type Mix, tune } from "../test/support/tune.ts";
import { median } from "./bench/figures.ts";
import { createOwner, openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const AIM_RATIO = 1.02;
const RATE_HZ = 22_050;
const POLL_MS = 5;
/** `USER_HZ`, in which Linux tells the times of processes. */
const TICKS_PER_SEC = 100;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    tracks: { type: "string", default: "200" },
    pieces: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "30" },
  },
});
const [tracks, pieces, rounds, seconds] = [values.tracks, values.pieces, values.rounds, values.seconds].map(
  (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1) throw new Error(`${text} is not a whole number from 1`);
    return number;
  },
) as [number, number, number, number];

type Piece = { name: string; bytes: Uint8Array<ArrayBuffer> };
/** One way of a round: the milliseconds per piece, and the processor's for all of them. */
type Took = { pieceMs: number; cpuMs: number };

const folder = temporaryFolder("bench-relating");
const prepared = join(folder, "prepared");
const deps = openLibraryIn(prepared);
const { key } = await createOwner(deps);
closeLibrary(deps);

const server = start(prepared);
await server.healthy();
for (let song = 0; song < tracks; song++) await upload(server, pieceOf(song, `Song ${song}`));
await untilIdle(prepared);
await server.stop();

const fresh = Array.from({ length: pieces }, (_, at) =>
  at % 2 === 0
    ? pieceOf((7 * at) % tracks, `Song ${(7 * at) % tracks} (Instrumental)`, { lead: 0 })
    : pieceOf(tracks + at, `Other ${at}`),
);
const taken: { on: Took; off: Took }[] = [];
for (let round = 0; round < rounds; round++) {
  // Whoever comes second finds the files in the cache.
  const order = round % 2 === 0 ? [true, false] : [false, true];
  const [first, second] = [await roundOf(order[0] === true), await roundOf(order[1] === true)];
  taken.push(order[0] ? { on: first, off: second } : { on: second, off: first });
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const [on, off] = [
  median(taken.map((each) => each.on.pieceMs)),
  median(taken.map((each) => each.off.pieceMs)),
];
const ratio = median(taken.map((each) => each.on.pieceMs / each.off.pieceMs));
const cpuMs = median(taken.map((each) => (each.on.cpuMs - each.off.cpuMs) / pieces));
console.log(`${pieces} pieces of ${seconds} s beside ${tracks} tracks, ${rounds} rounds`);
console.log(`upload and analysis of a piece: ${ms(on)} with comparing, ${ms(off)} without`);
console.log(`ratio: ${ratio.toFixed(3)} (aim ${AIM_RATIO})`);
console.log(`comparing, of a processor: ${ms(cpuMs)} per upload`);

function pieceOf(seed: number, name: string, mix: Partial<Mix> = {}): Piece {
  const samples = tune(RATE_HZ, seconds, 10 * (seed + 1), mix).map((sample) => 0.4 * sample);
  return { name: `${name}.wav`, bytes: wavBytes([samples], RATE_HZ, 16) };
}

function start(dataDir: string): ServerProcess {
  return spawnDubplate({
    dataDir,
    port: freePort(),
    log: join(folder, "log"),
    settings: { FFMPEG_PATH: "" },
  });
}

async function upload({ address }: ServerProcess, { name, bytes }: Piece): Promise<string> {
  const form = new FormData();
  form.append("files", new File([bytes], name));
  const headers = { "x-api-key": key };
  const sent = await fetch(`${address}/api/v1/tracks/upload`, { method: "POST", headers, body: form });
  if (!sent.ok) throw new Error(`An upload was answered ${sent.status}: ${await sent.text()}`);
  return ((await sent.json()) as { data: { uploaded: [{ id: string }] } }).data.uploaded[0].id;
}

/** Uploads the new pieces one by one into a copy of the library. */
async function roundOf(isOn: boolean): Promise<Took> {
  const dataDir = join(folder, "copy");
  cpSync(prepared, dataDir, { recursive: true });
  if (!isOn) endComparing(dataDir);
  const copy = start(dataDir);
  await copy.healthy();
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const status = db.query<{ status: string }, [string]>(
    "SELECT analysis_status AS status FROM tracks WHERE id = ?",
  );
  const before = cpuMsOf(copy);
  const begun = performance.now();
  for (const piece of fresh) {
    const id = await upload(copy, piece);
    for (let now = status.get(id)?.status; now !== "completed"; now = status.get(id)?.status) {
      if (now === "failed") throw new Error(`${piece.name} could not be analysed`);
      copy.assertRuns();
      await Bun.sleep(POLL_MS);
    }
  }
  const pieceMs = (performance.now() - begun) / fresh.length;
  db.close();
  await untilIdle(dataDir);
  const cpuMs = cpuMsOf(copy) - before;
  await copy.stop();
  rmSync(dataDir, { recursive: true });
  return { pieceMs, cpuMs };
}

/** Has a library forget at once what should be compared. */
function endComparing(dataDir: string): void {
  const db = new Database(join(dataDir, "dubplate.db"));
  db.run(
    "CREATE TRIGGER no_comparing AFTER INSERT ON jobs WHEN NEW.name IN ('relate', 'sum_stems') BEGIN DELETE FROM jobs WHERE id = NEW.id; END",
  );
  db.close();
}

/** Returns what a process and its children that have ended took of the processor. */
function cpuMsOf({ pid }: ServerProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks / TICKS_PER_SEC) * 1000;
}
