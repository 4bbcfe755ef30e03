/**
 * Kills the server with SIGKILL again and again while two files of one song are analysed and compared: half of the time between their two
 * analyses, else at a random moment. Then checks that each song is one set of its two files, never two or none.
 *
 * usage: bun scripts/chaos-families.ts [--kills 60] [--seed 1] [--keep]
 * Exit 1 on any violation. --keep leaves the data folder for inspection.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary } from "../src/library.ts";
import { wavBytes } from "../test/support/signals.ts";
import { tune } from "../test/support/tune.ts";
import { createOwner, IS_TO_BE_DONE, openLibraryIn, untilIdle } from "./bench/library.ts";
import {
  freePort,
  keepFolder,
  type ServerProcess,
  spawnDubplate,
  temporaryFolder,
} from "./bench/processes.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    kills: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error("--kills must be a whole number from 1");

const [RATE_HZ, SECONDS] = [22_050, 16];
const MAX_DELAY_MS = 3000;
const MAX_WAIT_MS = 20_000;
const POLL_MS = 5;
/** The program gives up on a job after five tries, or ten crashes: here the files are not to blame. */
const MAX_ATTEMPTS = 4;

const folder = temporaryFolder("chaos-families");
mkdirSync(join(folder, "tmp"));
if (values.keep) keepFolder(folder);
const dataDir = join(folder, "data");
const random = randomFrom(`chaos families ${values.seed}`);
const deps = openLibraryIn(dataDir);
const { key } = await createOwner(deps);
closeLibrary(deps);
const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
const state = db.query<{ jobs: number; attempts: number; analysed: number }, []>(
  `SELECT (SELECT count(*) FROM jobs WHERE ${IS_TO_BE_DONE}) AS jobs,
     (SELECT ifnull(max(attempts), 0) FROM jobs WHERE ${IS_TO_BE_DONE}) AS attempts,
     (SELECT count(*) FROM tracks WHERE analysis_status = 'completed') AS analysed`,
);
const now = () => state.get() ?? { jobs: 0, attempts: 0, analysed: 0 };

let songs = 0;
let between = 0;
const startedAt = performance.now();
for (let kill = 1; kill <= kills; kill++) {
  const server = start();
  await server.healthy();
  if (now().attempts >= MAX_ATTEMPTS) await until(server, () => now().attempts < MAX_ATTEMPTS);
  if (now().jobs === 0) await upload(server);
  if (random() < 0.5) await until(server, () => now().analysed === 2 * songs - 1, MAX_WAIT_MS);
  else await Bun.sleep(random() * MAX_DELAY_MS);
  if (now().analysed === 2 * songs - 1) between++;
  await server.kill();
}
const last = start();
await last.healthy();
await untilIdle(dataDir);
const violations = verify();
await last.stop();
db.close();
for (const violation of violations) console.log(`VIOLATION ${violation}`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(
  `${kills} kills in ${seconds} s, ${between} of them between the analyses of a song's two files: ${songs} songs`,
);
console.log(
  violations.length === 0 ? "No violation: each song is one set." : `${violations.length} violations.`,
);
process.exit(violations.length === 0 ? 0 : 1);

function start(): ServerProcess {
  const settings = { FFMPEG_PATH: "" };
  return spawnDubplate({
    ...{ dataDir, settings },
    port: freePort(),
    log: join(folder, "log"),
    temporaryDir: join(folder, "tmp"),
  });
}

async function until(
  server: ServerProcess,
  is: () => boolean,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const from = performance.now(); !is() && performance.now() - from < maxMs; ) {
    server.assertRuns();
    await Bun.sleep(POLL_MS);
  }
}

/** Uploads a song and its instrumental, which have to become one set. */
async function upload({ address }: ServerProcess): Promise<void> {
  songs++;
  for (const [name, mix] of [
    [`Song ${word(songs)}`, {}],
    [`Song ${word(songs)} (Instrumental)`, { lead: 0 }],
  ] as const) {
    const samples = tune(RATE_HZ, SECONDS, 10 * songs, mix).map((sample) => 0.4 * sample);
    const form = new FormData();
    const bytes = wavBytes([samples], RATE_HZ, 16) as Uint8Array<ArrayBuffer>;
    form.append("files", new File([bytes], `${name}.wav`));
    const { status } = await fetch(`${address}/api/v1/tracks/upload`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: form,
    });
    if (status !== 200) throw new Error(`The upload answered ${status}`);
  }
}

/** Numbers behind a song would be versions of it. */
function word(number: number): string {
  return [...String(number)]
    .map((digit) => "abcdefghij"[Number(digit)])
    .join("")
    .padStart(3, "x");
}

type Row = { name: string; sets: number; members: number; asked: number };

function verify(): string[] {
  const rows = db
    .query<Row, []>(
      `SELECT replace(replace(t.name, '.wav', ''), ' (Instrumental)', '') AS name, count(DISTINCT m.family_id) AS sets,
         count(m.track_id) AS members,
         (SELECT count(*) FROM family_signs s WHERE s.state = 'open' AND (s.track_id = t.id OR s.other_id = t.id)) AS asked
       FROM tracks t LEFT JOIN family_members m ON m.track_id = t.id GROUP BY 1`,
    )
    .all();
  const dead = db.query<{ name: string }, []>("SELECT name FROM jobs WHERE state = 'dead'").all();
  const sets = db.query<{ count: number }, []>("SELECT count(*) AS count FROM families").get()?.count;
  return [
    ...rows
      .filter((row) => row.sets !== 1 || row.members !== 2 || row.asked !== 0)
      .map(
        (row) =>
          `"${row.name}" is in ${row.sets} sets with ${row.members} of its 2 files, ${row.asked} questions`,
      ),
    ...(rows.length === songs && sets === songs
      ? []
      : [`${rows.length} songs and ${sets} sets, where ${songs} were sent`]),
    ...dead.map(({ name }) => `the job ${name} was given up`),
  ];
}
