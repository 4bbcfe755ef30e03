import { open } from "node:fs/promises";
import { type KeptFile, listOriginals } from "../blobs/kept.ts";
import type { Report } from "./finding.ts";
import type { BackupDeps, Frozen } from "./freeze.ts";
import { DATABASE, formatManifest, MANIFEST, SECRET, SUMS } from "./manifest.ts";
import { openKept } from "./open-kept.ts";
import type { Output } from "./output.ts";
import { createPieceReader, type PieceReader } from "./pieces.ts";
import { allSums, type Sum, sumsFile } from "./sums.ts";
import { createTarWriter, type TarWriter } from "./tar-writer.ts";

type Writing = {
  settings: BackupDeps["settings"];
  tar: TarWriter;
  reader: PieceReader;
  report: Report;
};

/**
 * Writes the whole library as one archive. Missing and damaged files are reported, and the rest is written;
 * `SHA256SUMS` names them as well.
 *
 * @param wrote Receives the number of bytes written from the library's files.
 * @returns How many of the library's files the archive holds.
 */
export async function writeWhole(
  settings: BackupDeps["settings"],
  frozen: Frozen,
  output: Output,
  { report, wrote }: { report: Report; wrote: (bytes: number) => void },
): Promise<number> {
  const tar = createTarWriter(output, Date.parse(frozen.manifest.createdAt));
  const writing: Writing = { settings, tar, reader: createPieceReader(), report };
  const sums = await writeHead(writing, frozen);
  wrote(frozen.manifest.bytes.database);
  let files = 0;
  for (const picture of frozen.pictures) {
    const sha256 = await writeKept(writing, picture, wrote);
    if (sha256 === undefined) continue;
    sums.push({ path: picture.path, sha256 });
    files++;
  }
  for (const original of listOriginals(frozen.db))
    if ((await writeKept(writing, original, wrote)) !== undefined) files++;
  await writeTail(tar, frozen, sums);
  return files;
}

/** Writes an archive of the database alone, for a folder that has the files. `sums` are the sums of the pictures. */
export async function writeSnapshot(
  settings: BackupDeps["settings"],
  frozen: Frozen,
  output: Output,
  sums: readonly Sum[],
): Promise<void> {
  const tar = createTarWriter(output, Date.parse(frozen.manifest.createdAt));
  const head = await writeHead(
    { settings, tar, reader: createPieceReader(), report: () => undefined },
    frozen,
  );
  await writeTail(tar, frozen, [...head, ...sums]);
}

/** Writes the first members of an archive. Returns their sums. */
async function writeHead({ tar, reader }: Writing, frozen: Frozen): Promise<Sum[]> {
  const { manifest, secret, databasePath } = frozen;
  const text = formatManifest(manifest);
  const sums: Sum[] = [];
  const add = async (path: string, sizeBytes: number, pieces: Parameters<TarWriter["add"]>[2]) => {
    const { sha256 } = await tar.add(path, sizeBytes, pieces);
    sums.push({ path, sha256 });
    return sha256;
  };
  await add(MANIFEST, text.length, [text]);
  await add(SECRET, secret.length, [secret]);
  const database = await open(databasePath, "r");
  try {
    const sha256 = await add(DATABASE, manifest.bytes.database, reader.pieces(database));
    if (sha256 !== manifest.databaseSha256) throw new Error(`${databasePath} changed while it was read`);
  } finally {
    await database.close();
  }
  return sums;
}

async function writeTail(tar: TarWriter, { db }: Frozen, given: readonly Sum[]): Promise<void> {
  const { sizeBytes, pieces } = sumsFile(() => allSums(given, db));
  await tar.add(SUMS, sizeBytes, pieces());
  await tar.close();
}

/** Writes one file of the library. Returns the hash of its bytes; undefined when the file is missing. */
async function writeKept(
  { settings, tar, reader, report }: Writing,
  { path, id, sha256 }: KeptFile,
  wrote: (bytes: number) => void,
): Promise<string | undefined> {
  const file = await openKept(settings, path);
  if (!file) {
    report({ kind: "missing", id, path, detail: "The file is missing from the library" });
    return undefined;
  }
  try {
    const { size } = await file.stat();
    const kept = readable(reader.pieces(file), wrote);
    const written = await tar.add(path, size, kept.pieces());
    const isOther = sha256 !== undefined && written.sha256 !== sha256;
    if (written.isShort || isOther) report({ kind: "damaged", id, path, detail: kept.fault() });
    return written.sha256;
  } finally {
    await file.close();
  }
}

/** Ends at the first piece that cannot be read: a bad block on the disk costs one file, not the whole backup. */
export function readable(source: AsyncIterable<Uint8Array>, read: (bytes: number) => void) {
  let fault: string | undefined;
  return {
    async *pieces() {
      try {
        for await (const piece of source) {
          yield piece;
          read(piece.length);
        }
      } catch (error) {
        fault = `The file cannot be read: ${(error as Error).message}`;
      }
    },
    hasFailed: () => fault !== undefined,
    fault: () => fault ?? "The file's bytes are not those that were stored",
  };
}
