import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../db/migrations.ts";
import { listSnapshots } from "../../src/backup/snapshots.ts";
import type { Random } from "../../src/demo/dsp/random.ts";
import { DUBPLATE, helperCommand } from "../bench/processes.ts";
import { OLD_SCHEMA } from "../upgrade-attacks/old-library.ts";

/** Where the tasks of a run have their files. */
export type Place = { folder: string; dataDir: string };

/** Something that is killed beside the server: how to start it, and what must be true whenever it was killed. */
export type Task = {
  name: string;
  start: (place: Place) => Bun.Subprocess;
  /** Returns what is wrong now that it is gone. */
  check: (place: Place) => Promise<string[]>;
};

const OLD_ACCOUNTS = 400;

const targetOf = ({ folder }: Place) => join(folder, "restored");
const fileOf = ({ folder }: Place) => join(folder, "backup.tar");
const sharedOf = ({ folder }: Place) => join(folder, "shared");
const oldOf = ({ folder }: Place) => join(folder, "old");

/** Starts a command of the program on a data folder. */
export function spawnCommand(
  dataDir: string,
  args: readonly string[],
): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const env = { ...Bun.env, DATA_DIR: dataDir };
  return Bun.spawn([...DUBPLATE, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs one to its end. */
export async function runCommand(
  dataDir: string,
  args: readonly string[],
): Promise<{ code: number; said: string }> {
  const child = spawnCommand(dataDir, args);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, said: `${stdout}${stderr}`.trim() };
}

/** Returns the findings of `verify` when there are any. */
async function verified(place: Place, args: readonly string[], what: string): Promise<string[]> {
  const { code, said } = await runCommand(place.dataDir, ["verify", ...args]);
  return code === 0 ? [] : [`${what}: verify: ${said}`];
}

const backupToFile: Task = {
  name: "backup FILE",
  start(place) {
    for (const ending of ["", ".damaged"]) rmSync(`${fileOf(place)}${ending}`, { force: true });
    return spawnCommand(place.dataDir, ["backup", fileOf(place)]);
  },
  async check(place) {
    const file = fileOf(place);
    const damaged = existsSync(`${file}.damaged`) ? [`${file}.damaged was made of a sound library`] : [];
    return existsSync(file) ? [...damaged, ...(await verified(place, [file], "a backup"))] : damaged;
  },
};

const backupToFolder: Task = {
  name: "backup DIR/",
  start: (place) => spawnCommand(place.dataDir, ["backup", `${sharedOf(place)}/`]),
  async check(place) {
    const folder = join(sharedOf(place), "snapshots");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const damaged = names.filter((name) => name.endsWith(".damaged"));
    const newest = listSnapshots(sharedOf(place)).at(-1);
    return [
      ...damaged.map((name) => `${name} was made of a sound library`),
      ...(newest ? await verified(place, [newest.path], "a snapshot") : []),
    ];
  },
};

const restore: Task = {
  name: "restore",
  start: (place) => spawnCommand(targetOf(place), ["restore", join(place.folder, "good.tar")]),
  async check(place) {
    const target = targetOf(place);
    const findings: string[] = [];
    if (!existsSync(target)) {
      const { code, said } = await runCommand(target, ["restore", join(place.folder, "good.tar")]);
      if (code !== 0) findings.push(`a restore after a killed one: ${said}`);
    }
    findings.push(...(await verified({ ...place, dataDir: target }, [], "a restored library")));
    if (existsSync(`${target}.restoring`)) findings.push("a folder of a restore is left after the next one");
    rmSync(target, { recursive: true, force: true });
    return findings;
  },
};

const migration: Task = {
  name: "migration",
  start(place) {
    makeOldLibrary(oldOf(place));
    return spawnCommand(oldOf(place), ["account", "list"]);
  },
  async check(place) {
    const { code, said } = await runCommand(oldOf(place), ["account", "list"]);
    const accounts = said.split("\n").filter((line) => line.startsWith("{")).length;
    const findings =
      code === 0 && accounts === OLD_ACCOUNTS
        ? []
        : [`after a migration: ${accounts} accounts: ${said.slice(0, 500)}`];
    const folder = join(oldOf(place), "before-upgrade");
    for (const name of existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith(".db")) : [])
      findings.push(...checkCopy(join(folder, name)));
    return findings;
  },
};

const sweep: Task = {
  name: "sweep",
  start: ({ dataDir }) =>
    Bun.spawn(helperCommand("sweep", { dataDir }), { stdio: ["ignore", "pipe", "pipe"] }),
  check: async () => [],
};

/** What a round may do beside its uploads. */
export const TASKS: readonly Task[] = [backupToFile, backupToFolder, restore, migration, sweep];

/** Returns one of them. */
export function pickTask(random: Random): Task {
  return TASKS[Math.floor(random() * TASKS.length)] ?? sweep;
}

/** A library of an earlier version, made again for each migration. */
function makeOldLibrary(dir: string): void {
  const original = `${dir}.original`;
  if (!existsSync(original)) {
    mkdirSync(original, { mode: 0o700 });
    const db = new Database(join(original, "dubplate.db"));
    db.run("PRAGMA journal_mode = WAL");
    migrate(db, OLD_SCHEMA);
    const insert = db.query(
      "INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES (?, ?, 'Me', '', 1)",
    );
    for (let n = 0; n < OLD_ACCOUNTS; n++) insert.run(`usr_${n}`, `me${n}@example.com`);
    db.close();
    writeFileSync(join(original, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });
  }
  rmSync(dir, { recursive: true, force: true });
  cpSync(original, dir, { recursive: true });
}

function checkCopy(path: string): string[] {
  try {
    const db = new Database(path, { readonly: true });
    const found = db.query<{ quick_check: string }, []>("PRAGMA quick_check").get()?.quick_check;
    const rows = db.query<{ n: number }, []>("SELECT count(*) AS n FROM accounts").get()?.n;
    db.close();
    return found === "ok" && rows === OLD_ACCOUNTS ? [] : [`${path}: ${found}, ${rows} accounts`];
  } catch (error) {
    return [`${path}: ${(error as Error).message}`];
  }
}
