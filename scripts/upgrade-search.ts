/**
 * Searches a library of each earlier schema while it is upgraded: analysed tracks as that schema left them, opened by the real
 * command line, searched from the first answer of the server until the vectors of its sounds are made. Each search must find
 * what it asks for throughout.
 *
 * usage: bun scripts/upgrade-search.ts [--from 1] [--to NEWEST-1] [--only 9,54] [--tracks 2000] [--keep]
 * Exit 1 when any search failed. --keep leaves the folder for a look.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SCHEMA_VERSION } from "../db/migrations.ts";
import { loadVectors } from "../db/vectors.ts";
import { freePort, keepFolder, spawnDubplate, temporaryFolder } from "./bench/processes.ts";
import { runCommand } from "./chaos-mixed/tasks.ts";
import { ANALYSED_EMAIL, makeAnalysedLibrary } from "./upgrade-attacks/analysed-library.ts";
import { databaseIn } from "./upgrade-attacks/place.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    from: { type: "string", default: "1" },
    to: { type: "string", default: String(SCHEMA_VERSION - 1) },
    only: { type: "string" },
    tracks: { type: "string", default: "2000" },
    keep: { type: "boolean", default: false },
  },
});
const tracks = Number(values.tracks);
/** How long the vectors may take on a busy machine. */
const FILL_MS = 300_000;

type Hit = { id: string };
/** A search, and whether its results are what it asks for. */
type Wish = { body: object; isFound: (hits: readonly Hit[]) => boolean };
const WISHES: readonly Wish[] = [
  { body: { query: "Song 17" }, isFound: ([first]) => first?.id === "trk_17" },
  { body: { query: "around 120 bpm" }, isFound: (hits) => hits.length > 3 },
  { body: { query: "bright and energetic, 100-140 bpm" }, isFound: (hits) => hits.length > 3 },
  {
    body: { query: "more of this", seedTrackIds: ["trk_5"] },
    isFound: (hits) => hits.length > 3 && hits.every(({ id }) => id !== "trk_5"),
  },
];

const folder = temporaryFolder("upgrade-search");
if (values.keep) keepFolder(folder);
const schemas = values.only
  ? values.only.split(",").map(Number)
  : Array.from({ length: Number(values.to) - Number(values.from) + 1 }, (_, i) => Number(values.from) + i);
let [searches, faulty, longestMs] = [0, 0, 0];
for (const schema of schemas) {
  const faults = await searchedWhileUpgraded(schema);
  if (faults.size > 0) faulty++;
  for (const fault of faults) console.log(`VIOLATION schema ${schema}: ${fault}`);
}
console.log(
  `${schemas.length} schemas, ${searches} searches, ${faulty === 0 ? "no violation" : `${faulty} schemas with violations`}.`,
);
process.exit(faulty === 0 ? 0 : 1);

async function searchedWhileUpgraded(schema: number): Promise<Set<string>> {
  const dataDir = join(folder, `schema-${schema}`);
  makeAnalysedLibrary(dataDir, tracks, schema);
  const { said } = await runCommand(dataDir, [
    "key",
    "create",
    "--email",
    ANALYSED_EMAIL,
    "--name",
    "search",
  ]);
  const key = /"key":"([^"]+)"/.exec(said)?.[1];
  if (!key) return new Set([`no key: ${said}`]);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, `${schema}.log`) });
  await server.healthy();
  const faults = new Set<string>();
  const first = vectorsIn(dataDir);
  longestMs = 0;
  const until = performance.now() + FILL_MS;
  let rounds = 0;
  do {
    rounds++;
    for (const wish of WISHES) {
      const fault = await faultOf(server.address, key, wish);
      if (fault) faults.add(`${JSON.stringify(wish.body)} ${fault}`);
    }
  } while (vectorsIn(dataDir) < tracks && performance.now() < until);
  const last = vectorsIn(dataDir);
  if (last < tracks) faults.add(`only ${last} of ${tracks} vectors were made`);
  console.log(
    `schema ${schema}: ${first} vectors at the first search, ${last} after ${rounds} rounds of searches, of which the longest took ${longestMs.toFixed(0)} ms`,
  );
  await server.kill();
  if (!values.keep) rmSync(dataDir, { recursive: true });
  return faults;
}

async function faultOf(address: string, key: string, { body, isFound }: Wish): Promise<string | undefined> {
  searches++;
  const startedAt = performance.now();
  const response = await fetch(`${address}/api/v1/tracks/search`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  if (!response.ok) return `was answered with ${response.status}: ${await response.text()}`;
  // The answer of our own server.
  const { data } = (await response.json()) as { data: { results: Hit[] } };
  return isFound(data.results) ? undefined : `found ${JSON.stringify(data.results.map(({ id }) => id))}`;
}

/** How many tracks have a vector of what they sound like. */
function vectorsIn(dataDir: string): number {
  const db = new Database(databaseIn(dataDir), { readonly: true });
  loadVectors(db);
  try {
    db.run("PRAGMA busy_timeout = 10000");
    return Number(db.query("SELECT count(*) FROM sound_vectors_rowids").values()[0]?.[0]);
  } finally {
    db.close();
  }
}
