import { Database } from "bun:sqlite";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { runCommand } from "../chaos-mixed/tasks.ts";
import { type Content, contentOf, makeOldLibrary } from "./old-library.ts";

const RECOVERY = join(import.meta.dir, "../../docs/recovery.md");
/** How the way back of the page is told from its other lines. */
const WAY_BACK = /^ {4}(rm .*)\n {4}(cp .*)$/m;

/** Where the attacks of a run have their libraries, and what they have found. */
export type Place = {
  folder: string;
  tracks: number;
  /** The schema of the old library. */
  from: number;
  /** What the old library holds. */
  old: Content;
  violations: string[];
  expect: (isSo: boolean, otherwise: string) => void;
};

/** What a kill may leave: no copy yet, a copy and the old library, or the new one. */
export type Left = "before" | "within" | "after";

/** Makes the old library, of which each attack takes a copy. */
export function createPlace(folder: string, tracks: number, from: number): Place {
  makeOldLibrary(join(folder, "original"), tracks, from);
  const violations: string[] = [];
  return {
    folder,
    tracks,
    from,
    old: contentOf(databaseIn(join(folder, "original"))),
    violations,
    expect: (isSo, otherwise) => {
      if (!isSo) violations.push(otherwise);
    },
  };
}

/** Returns the database of a data folder. */
export function databaseIn(dataDir: string): string {
  return join(dataDir, "dubplate.db");
}

/** Returns the copy of the old schema. */
export function copyIn({ from }: Pick<Place, "from">, dataDir: string): string {
  return join(dataDir, "before-upgrade", `schema-${from}.db`);
}

/** Copies the old library into a folder. */
export function takeLibrary({ folder }: Place, dataDir: string): string {
  cpSync(join(folder, "original"), dataDir, { recursive: true });
  return dataDir;
}

/** Changes a library by hand. */
export function change(dataDir: string, sql: string): void {
  const db = new Database(databaseIn(dataDir));
  db.run(sql);
  db.close();
}

/** Tells a file from one that took its place. */
export function identityOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino} ${mtimeMs} ${size}`;
}

/** Notes a database that does not hold what it should. */
export function expectSame({ expect }: Place, path: string, wanted: Content, what: string): void {
  try {
    const found = contentOf(path);
    expect(Bun.deepEquals(found, wanted), `${what}: ${path} holds ${JSON.stringify(found)}`);
  } catch (error) {
    expect(false, `${what}: ${path}: ${(error as Error).message}`);
  }
}

/** Checks what a killed or refused upgrade left: the library as it was or upgraded, and the copy of what it was. */
export function checkAfter(place: Place, dataDir: string, what: string): Left {
  const { expect, from, old, tracks } = place;
  const { schema, check, tracks: found } = contentOf(databaseIn(dataDir));
  expect(schema === from || schema === SCHEMA_VERSION, `${what} left schema ${schema}`);
  expect(check === "ok" && found === tracks, `${what} left ${found} tracks: ${check}`);
  if (schema === from) expectSame(place, databaseIn(dataDir), old, what);
  const hasCopy = existsSync(copyIn(place, dataDir));
  expect(hasCopy || schema === from, `${what} left no copy of schema ${from}`);
  if (hasCopy) expectSame(place, copyIn(place, dataDir), old, what);
  expectNoOtherCopy(place, dataDir, what);
  if (schema !== from) return "after";
  return hasCopy ? "within" : "before";
}

function expectNoOtherCopy({ expect }: Place, dataDir: string, what: string): void {
  const folder = join(dataDir, "before-upgrade");
  const others = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".db")) : [];
  expect(others.length <= 1, `${what} left ${others.join(", ")}`);
}

/** Lets an upgrade run to its end. */
export async function finish({ expect, tracks, old }: Place, dataDir: string, what: string): Promise<void> {
  const { code, said } = await runCommand(dataDir, ["account", "list"]);
  expect(code === 0 && /"email":"(me|ana)@example.com"/.test(said), `${what}: ${code} ${said}`);
  const { schema, check, tracks: found, kept } = contentOf(databaseIn(dataDir));
  expect(schema === SCHEMA_VERSION && check === "ok", `${what}: schema ${schema}, ${check}`);
  for (const [table, rows] of Object.entries(old.kept))
    expect(kept[table] === rows, `${what} has ${kept[table]} in ${table}, and had ${rows}`);
  expect(found === tracks, `${what} has ${found} tracks`);
}

/** Goes back to the earlier version by the lines of docs/recovery.md. */
export function goBack({ expect, from }: Place, dataDir: string): void {
  const [, remove, copy] =
    WAY_BACK.exec(readFileSync(RECOVERY, "utf8").split(/^## An upgrade failed$/m)[1] ?? "") ?? [];
  expect(remove !== undefined, "docs/recovery.md has no way back");
  const lines = `${remove}\n${copy}`.replace(/schema-\d+/, `schema-${from}`);
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-ec", lines], { cwd: dataDir });
  expect(exitCode === 0, `the way back: ${stderr}`);
}
