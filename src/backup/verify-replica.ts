import { SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Db, openReadOnly } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { LibraryError } from "../kernel/errors.ts";
import { findMasterSecret } from "../kernel/master-secret.ts";
import { SECOND_MS, toIso } from "../kernel/time.ts";
import { makeWorkDir, sweepWorkDirs } from "../kernel/work-dirs.ts";
import { findStore } from "../store/identity.ts";
import { describeSuspects, findSuspects, type Suspect, stillDifferent } from "./compare-rows.ts";
import { type Finding, isFault, type Report } from "./finding.ts";
import { type Replica, RestoreError, restoreReplica } from "./litestream.ts";
import { DATABASE } from "./manifest.ts";
import { verifyDatabase } from "./verify-database.ts";
import { readSecret, verifySecrets } from "./verify-secrets.ts";

const FIRST_WAIT_MS = SECOND_MS;

/** How to check a replica. */
export type ReplicaCheck = {
  replica: Replica;
  /** The library that the replica should be like. Without a database there, it is checked alone. */
  dataDir: string;
  /** For how long the replica may be behind the library, in milliseconds. */
  patienceMs: number;
  report: Report;
};

/** What a replica holds. Times are ISO 8601. */
export type CheckedReplica = {
  storeId: string | null;
  generation: number | null;
  accounts: number;
  tracks: number;
  versions: number;
  bytes: number;
  /** When its newest transaction was replicated, to the second. */
  newestAt: string;
  ageSeconds: number;
  /** False when there was no library to compare it with. */
  isCompared: boolean;
  seconds: number;
};

/**
 * Restores a replica to a temporary folder and checks it: its pages, references and rules, its secrets, and every row
 * against the library's, which may be served meanwhile. A different row is a fault when the library has had it for
 * `patienceMs` and the replica still has not.
 *
 * @returns What it holds; undefined when it could not be restored or read, which was reported.
 * @throws LibraryError when there is nothing to restore with, or another version of the program wrote the replica.
 */
export async function verifyReplica(check: ReplicaCheck): Promise<CheckedReplica | undefined> {
  await sweepWorkDirs();
  const folder = await makeWorkDir("replica");
  try {
    return await checkUntilSame(check, join(folder, DATABASE));
  } catch (error) {
    if (!(error instanceof RestoreError || error instanceof SQLiteError)) throw error;
    const what = error instanceof RestoreError ? "restored" : "read";
    const detail = `The replica cannot be ${what}: ${error.message}`;
    check.report({ kind: "damaged", id: DATABASE, path: null, detail });
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkUntilSame(check: ReplicaCheck, path: string): Promise<CheckedReplica> {
  const begin = performance.now();
  let tried = await compareOnce(check, path);
  for (let waitMs = FIRST_WAIT_MS; tried.suspects?.length; waitMs *= 2) {
    const leftMs = check.patienceMs - (performance.now() - begin);
    if (leftMs <= 0) break;
    await Bun.sleep(Math.min(waitMs, leftMs));
    tried = await compareOnce(check, path, tried.suspects);
  }
  for (const finding of [...tried.found, ...describeSuspects(tried.suspects ?? [])]) check.report(finding);
  return { ...tried.held, seconds: Math.round((performance.now() - begin) / 10) / 100 };
}

/** What a comparison found. `suspects` is undefined when the replica is unsound, or there is no library. */
type Compared = {
  found: Finding[];
  suspects: Suspect[] | undefined;
  held: Omit<CheckedReplica, "seconds">;
};

/** Restores the replica to `path`, checks it, and removes it. @param among The rows to compare; all when left out. */
async function compareOnce(check: ReplicaCheck, path: string, among?: readonly Suspect[]): Promise<Compared> {
  const before = among === undefined ? openAsItIs(check.dataDir) : undefined;
  try {
    const { newestAt } = await restoreReplica(check.replica, path);
    const { found, held } = readReplica(check, path);
    const first = !found.some(isFault) && before ? findSuspects(before, path) : undefined;
    const suspects = among ?? first;
    const times = {
      newestAt: toIso(newestAt),
      ageSeconds: Math.max(0, Math.round((Date.now() - newestAt) / SECOND_MS)),
    };
    return {
      found,
      suspects: suspects && keepDifferent(check, suspects, path),
      held: { ...held, ...times, bytes: (await stat(path)).size, isCompared: suspects !== undefined },
    };
  } finally {
    before?.$client.close();
    for (const ending of ["", "-wal", "-shm"]) await rm(`${path}${ending}`, { force: true });
  }
}

/** Opens the library in a read transaction, which sees it as it is now; undefined when there is none. */
function openAsItIs(dataDir: string): Db | undefined {
  const path = join(dataDir, DATABASE);
  if (!existsSync(path)) return undefined;
  const db = openReadOnly(path);
  db.$client.run("BEGIN");
  findStore(db); // the first read begins it
  return db;
}

function keepDifferent({ dataDir }: ReplicaCheck, suspects: readonly Suspect[], path: string): Suspect[] {
  const [library, replica] = [openReadOnly(join(dataDir, DATABASE)), openReadOnly(path)];
  try {
    return stillDifferent(suspects, library, replica);
  } finally {
    library.$client.close();
    replica.$client.close();
  }
}

type Held = Pick<CheckedReplica, "storeId" | "generation" | "accounts" | "tracks" | "versions">;

/** Checks a restored replica by itself, and that it is of the same library. */
function readReplica({ dataDir }: ReplicaCheck, path: string): { found: Finding[]; held: Held } {
  const found: Finding[] = [];
  const report = (finding: Finding) => void found.push(finding);
  const db = openReadOnly(path);
  try {
    refuseOtherSchema(db);
    verifyDatabase(db, report);
    const row = findStore(db);
    const secret = (row && findMasterSecret({ dataDir }, row)) ?? readSecret(dataDir);
    const id = idOfLibrary(dataDir);
    // On another machine the secret is kept somewhere else, like the audio.
    if (secret || id) verifySecrets(db, secret, report);
    if (id && row && row.id !== id)
      report({ kind: "damaged", id: DATABASE, path: null, detail: "The replica is of another library" });
    const count = (table: string) =>
      db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    const counts = {
      accounts: count("accounts"),
      tracks: count("tracks"),
      versions: count("versions"),
    };
    return { found, held: { storeId: row?.id ?? null, generation: row?.generation ?? null, ...counts } };
  } finally {
    db.$client.close();
  }
}

function idOfLibrary(dataDir: string): string | undefined {
  const path = join(dataDir, DATABASE);
  if (!existsSync(path)) return undefined;
  const db = openReadOnly(path);
  try {
    return findStore(db)?.id;
  } finally {
    db.$client.close();
  }
}

function refuseOtherSchema({ $client }: Db): void {
  const { user_version: schema = 0 } =
    $client.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? {};
  if (schema === SCHEMA_VERSION) return;
  throw new LibraryError(
    `The replica has schema ${schema}, and this program knows ${SCHEMA_VERSION}: use the version that wrote it, or start the server and Litestream`,
  );
}
