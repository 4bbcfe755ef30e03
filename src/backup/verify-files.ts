import { Database } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../db/client.ts";
import { type KeptFile, listOriginals, originalPath } from "../blobs/kept.ts";
import { locateSetAside, type Shelf } from "../blobs/quarantine.ts";
import { audioShelf, type Originals } from "../blobs/store.ts";
import { listPictures, PICTURE_SHELVES } from "../modules/library/artwork/service.ts";
import type { Finding, Report } from "./finding.ts";
import { DATABASE } from "./manifest.ts";
import { createPieceReader, hashFile, type PieceReader } from "./pieces.ts";

/** How to check the files of a library. */
export type FileCheck = {
  dataDir: string;
  /** Where the originals are that are not in the data folder. */
  originals: Originals;
  /** Undefined when the database cannot be read. Then only the originals are compared with their names. */
  db: Db | undefined;
  /** When false, only sizes are compared. */
  hash: boolean;
  report: Report;
  /** Receives the number of bytes read. */
  read: (bytes: number) => void;
};

/** How many files were checked, and their size. */
export type Checked = { files: number; bytes: number };

type StoredFile = { shelf: Shelf; name: string; path: string };

/**
 * Checks that every named file is there with its bytes, and reports files that no row names. Other processes may add
 * and remove files meanwhile, so each suspect is checked again before it is reported.
 */
export async function verifyFiles(check: FileCheck): Promise<Checked> {
  const faulty = new Set<string>();
  const checked = { files: 0, bytes: 0 };
  const { db } = check;
  const remote = new Map<string, number>();
  for await (const { sha256, sizeBytes } of check.originals.listRemote()) remote.set(sha256, sizeBytes);
  if (db)
    for (const suspect of await listSuspects({ ...check, db }, remote, checked)) {
      const finding = await lookAgain({ ...check, db }, remote, suspect);
      if (!finding) continue;
      check.report(finding);
      faulty.add(suspect.file.path);
    }
  const unnamed = [...(await checkStored(check, faulty)), ...(await checkRemote(check, remote, faulty))];
  if (db && unnamed.length > 0) reportUnnamed({ ...check, db }, unnamed);
  return checked;
}

/** Returns what is wrong with a file; undefined when it was removed or uploaded after the first look. */
async function lookAgain(
  { dataDir, db, originals }: FileCheck & { db: Db },
  remote: ReadonlyMap<string, number>,
  { shelf, file }: { shelf: Shelf; file: KeptFile },
): Promise<Finding | undefined> {
  if (shelf === audioShelf && (await isUploaded(originals, file))) return undefined;
  // A row is deleted before its file.
  return shelf.isNamed(db, nameOf(file.path)) ? faultOf(dataDir, remote, file) : undefined;
}

/** Returns the named files that are missing or have another size. Counts all named files. */
async function listSuspects(
  { dataDir, db }: FileCheck & { db: Db },
  remote: ReadonlyMap<string, number>,
  checked: Checked,
): Promise<{ shelf: Shelf; file: KeptFile }[]> {
  const suspects: { shelf: Shelf; file: KeptFile }[] = [];
  const pictures = listPictures(db);
  const named: readonly [Shelf, Iterable<KeptFile>][] = [
    ...PICTURE_SHELVES.map((shelf): [Shelf, KeptFile[]] => [
      shelf,
      pictures.filter(({ path }) => path.startsWith(`${shelf.folder}/`)),
    ]),
    [audioShelf, listOriginals(db)],
  ];
  for (const [shelf, files] of named)
    for (const file of files) {
      checked.files++;
      checked.bytes += (await sizeOf(dataDir, remote, file.path)) ?? 0;
      if (await faultOf(dataDir, remote, file)) suspects.push({ shelf, file });
    }
  return suspects;
}

const sizeOf = async (dataDir: string, remote: ReadonlyMap<string, number>, path: string) =>
  (await stat(join(dataDir, path)).catch(() => undefined))?.size ?? remote.get(nameOf(path));

/** True for an original that was uploaded, whole, after the bucket was listed. */
async function isUploaded(originals: Originals, { path, sizeBytes }: KeptFile): Promise<boolean> {
  return (await originals.remoteSize(nameOf(path))) === sizeBytes;
}

/** Checks a file by its size. Returns undefined when the size is right. */
async function faultOf(
  dataDir: string,
  remote: ReadonlyMap<string, number>,
  { path, id, sizeBytes }: KeptFile,
): Promise<Finding | undefined> {
  const size = await sizeOf(dataDir, remote, path);
  if (size === undefined) return { kind: "missing", id, path, detail: whereabouts(dataDir, path) };
  if (size > 0 && (sizeBytes === undefined || size === sizeBytes)) return undefined;
  const expected = sizeBytes === undefined ? "" : ` and should have ${sizeBytes}`;
  return { kind: "damaged", id, path, detail: `The file has ${size} bytes${expected}` };
}

function whereabouts(dataDir: string, path: string): string {
  const aside = locateSetAside({ dataDir }, join(dataDir, path));
  return aside === undefined
    ? "The file is missing"
    : `The file is missing from its place, and is at ${aside}`;
}

/** Hashes the named files on the disk. Returns the files that no row seems to name. */
async function checkStored(check: FileCheck, faulty: ReadonlySet<string>): Promise<StoredFile[]> {
  const { db, hash } = check;
  const reader = createPieceReader();
  const unnamed: StoredFile[] = [];
  for await (const file of storedFiles(check.dataDir)) {
    if (faulty.has(file.path)) continue;
    if (db && !file.shelf.isNamed(db, file.name)) unnamed.push(file);
    else if (hash && file.shelf === audioShelf) await checkHash(check, reader, file);
  }
  return unnamed;
}

/**
 * Hashes the named originals that are not in the data folder. Returns those that no row seems to name. One that is in
 * the data folder too is used from there.
 */
async function checkRemote(
  check: FileCheck,
  remote: ReadonlyMap<string, number>,
  faulty: ReadonlySet<string>,
): Promise<StoredFile[]> {
  const { db, hash, originals } = check;
  const unnamed: StoredFile[] = [];
  for (const [name, size] of remote) {
    const file = { shelf: audioShelf, name, path: originalPath(name) };
    if (faulty.has(file.path) || existsSync(join(check.dataDir, file.path))) continue;
    if (db && !audioShelf.isNamed(db, name)) {
      if (!originals.isLeaving(db, name)) unnamed.push(file);
    } else if (hash) await checkRemoteHash(check, { size }, file);
  }
  return unnamed;
}

async function checkRemoteHash(
  check: FileCheck,
  { size }: { size: number },
  file: StoredFile,
): Promise<void> {
  const copy = await check.originals.fetchCopy(file.name);
  if (copy) rmSync(copy.path);
  check.read(size);
  reportHash(
    check,
    file,
    copy?.sha256 ?? Object.assign(new Error("The file is missing"), { code: "ENOENT" }),
  );
}

/** Yields our own files on the disk. */
async function* storedFiles(dataDir: string): AsyncGenerator<StoredFile> {
  for (const shelf of [...PICTURE_SHELVES, audioShelf])
    for await (const path of filesIn(dataDir, shelf.folder)) {
      const name = nameOf(path);
      if (shelf.isOurs(name)) yield { shelf, name, path };
    }
}

async function checkHash(check: FileCheck, reader: PieceReader, file: StoredFile): Promise<void> {
  const path = join(check.dataDir, file.path);
  reportHash(check, file, await hashFile(path, reader, check.read).catch((error: Error) => error));
}

function reportHash({ db, report }: FileCheck, { name, path }: StoredFile, found: string | Error): void {
  if (found === name && path === originalPath(name)) return;
  const isGone = found instanceof Error && "code" in found && found.code === "ENOENT";
  // The file was moved away after its folder was read.
  if (isGone && db && !audioShelf.isNamed(db, name)) return;
  const id = (db && versionWith(db, name)) ?? name;
  const detail =
    found === name
      ? `The file should be at ${originalPath(name)}`
      : found instanceof Error
        ? `The file cannot be read: ${found.message}`
        : "The file's bytes are not those that were stored";
  report({ kind: isGone ? "missing" : "damaged", id, path, detail });
}

function versionWith(db: Db, sha256: string): string | undefined {
  const sql = "SELECT min(id) AS id FROM versions WHERE sha256 = ?";
  return db.$client.query<{ id: string | null }, [string]>(sql).get(sha256)?.id ?? undefined;
}

/**
 * Reports files that no row names. A file is placed in the transaction that names it, so this repeats the search under
 * the write lock.
 */
function reportUnnamed({ dataDir, db, report }: FileCheck & { db: Db }, files: readonly StoredFile[]): void {
  const writer = new Database(join(dataDir, DATABASE), { create: false, readwrite: true });
  try {
    writer.run("PRAGMA busy_timeout = 10000");
    writer.run("BEGIN IMMEDIATE");
    const found = files.filter(({ shelf, name }) => !shelf.isNamed(db, name));
    writer.run("ROLLBACK");
    for (const { name, path } of found)
      report({ kind: "unreferenced", id: name, path, detail: "No row names this file" });
  } finally {
    writer.close();
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Yields the paths of the files below a folder, relative to the data folder and ordered by name. */
async function* filesIn(dataDir: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(dataDir, path);
    else if (entry.isFile()) yield path;
  }
}
