import { type Db, openDb } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { type KeptFile, listOriginals } from "../blobs/kept.ts";
import { LibraryError } from "../kernel/errors.ts";
import type { Pool } from "../kernel/pool.ts";
import { listPictures } from "../modules/library/artwork/service.ts";
import type { ByteSource } from "./byte-source.ts";
import { quickCheck } from "./copy-database.ts";
import type { Report } from "./finding.ts";
import { isItsSecret } from "./identity.ts";
import {
  DATABASE,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  type Manifest,
  parseManifest,
  SECRET,
  SUMS,
} from "./manifest.ts";
import { createMemberReader, type MemberReader, UnreadableError } from "./members.ts";
import { createFile, type Output } from "./output.ts";
import { checkSums } from "./read-sums.ts";
import type { Sum } from "./sums.ts";
import type { Header } from "./tar.ts";

/** The contents of an archive that was read to its end. */
export type ReadBackup = {
  manifest: Manifest;
  secret: Buffer;
  /** The database, unpacked and migrated to the schema of this program. The caller closes it. */
  db: Db;
  /** Sums of the pictures by path. */
  pictures: ReadonlyMap<string, string>;
};

/** What to do while an archive is read. */
export type Reading = {
  /** Where to unpack the database: a path that does not exist. */
  databasePath: string;
  /** Returns where to unpack a file of the library; undefined to check it only. */
  placeOf: (path: string) => string | undefined;
  /** Flushes and closes written files. */
  pool: Pool;
  /** Receives every finding. It may throw to stop the reading. */
  report: Report;
  /** Receives the number of bytes read. */
  read: (bytes: number) => void;
};

type Head = Pick<ReadBackup, "manifest" | "secret"> & { sums: Sum[] };

const SECRET_BYTES = 32;

/**
 * Reads and checks an archive. Every header, name, sum and padding byte must be exactly what a backup writes, in the
 * same order, and the database must be sound and match the master secret. So an accepted archive contains no links,
 * no folders, and no names that the database does not have.
 *
 * @returns Undefined when a part of the archive could not be read; `report` received the reason.
 * @throws LibraryError when a newer program wrote it; whatever `report` throws.
 */
export async function readBackup(source: ByteSource, reading: Reading): Promise<ReadBackup | undefined> {
  const members = createMemberReader(source, reading);
  let db: Db | undefined;
  try {
    const { sums, ...head } = await readHead(members, reading);
    db = openUnpacked(members, reading, head.secret);
    const isWhole = head.manifest.kind === "whole";
    const files = isWhole ? await readFiles(members, reading, db) : undefined;
    const header = files?.header ?? (await members.expect(SUMS));
    const pictures = await checkSums(members, reading.report, {
      header,
      db,
      head: sums,
      pictures: files?.sums,
    });
    await members.end();
    await reading.pool.end();
    return { ...head, db, pictures };
  } catch (error) {
    db?.$client.close();
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

async function readHead(members: MemberReader, { databasePath, pool }: Reading): Promise<Head> {
  const manifestHeader = await members.expect(MANIFEST);
  if (manifestHeader.sizeBytes > MAX_MANIFEST_BYTES)
    members.giveUp(MANIFEST, "It does not describe a backup");
  const text = await collect(members, manifestHeader);
  const manifest = parseManifest(text) ?? members.giveUp(MANIFEST, "It does not describe a backup");
  if (manifest.schema > SCHEMA_VERSION)
    throw new LibraryError(
      `This backup was written by a newer Dubplate (schema ${manifest.schema}, this one knows ${SCHEMA_VERSION}): install that version`,
    );
  const secretHeader = await members.expect(SECRET);
  if (secretHeader.sizeBytes !== SECRET_BYTES) members.giveUp(SECRET, "It is not a master secret");
  const secret = await collect(members, secretHeader);

  const databaseHeader = await members.expect(DATABASE);
  const output = await createFile(databasePath);
  const databaseSha256 = await copyInto(members, databaseHeader, output, pool);
  await pool.end();
  if (databaseSha256 !== manifest.databaseSha256)
    members.giveUp(DATABASE, "The database has other bytes than were backed up");
  const sums = [
    { path: MANIFEST, sha256: hashOf(text) },
    { path: SECRET, sha256: hashOf(secret) },
    { path: DATABASE, sha256: databaseSha256 },
  ];
  return { manifest, secret, sums };
}

const hashOf = (bytes: Buffer) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

async function collect(members: MemberReader, header: Header): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of members.pieces(header)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function copyTo(
  members: MemberReader,
  header: Header,
  place: string | undefined,
  pool: Pool,
): Promise<string> {
  return place === undefined
    ? members.copy(header)
    : copyInto(members, header, await createFile(place), pool);
}

async function copyInto(members: MemberReader, header: Header, output: Output, pool: Pool): Promise<string> {
  try {
    const sha256 = await members.copy(header, output);
    await pool.add(async () => void (await output.end()));
    return sha256;
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

function openUnpacked(members: MemberReader, { databasePath, report }: Reading, secret: Buffer): Db {
  const found = quickCheck(databasePath);
  if (found !== "ok") members.giveUp(DATABASE, `The database is damaged: ${found}`);
  const db = openDb(databasePath);
  if (!isItsSecret(db, secret))
    report({ kind: "damaged", id: SECRET, path: SECRET, detail: "The master secret is not the database's" });
  return db;
}

/** Yields every file that the database names, ordered by path. */
function* namedFiles(db: Db): Generator<KeptFile> {
  yield* listPictures(db);
  yield* listOriginals(db);
}

/** Reads the library's files. Returns the header that follows them, and the sums of the pictures. */
async function readFiles(
  members: MemberReader,
  { placeOf, pool, report }: Reading,
  db: Db,
): Promise<{ header: Header; sums: Sum[] }> {
  const sums: Sum[] = [];
  const expected = namedFiles(db);
  let header = await members.next();
  for (const { path, id, sha256 } of expected) {
    if (header.name === SUMS || header.name > path) {
      report({ kind: "missing", id, path, detail: "The file is not in the backup" });
      continue;
    }
    if (header.name < path) break;
    const found = await copyTo(members, header, placeOf(path), pool);
    if (sha256 === undefined) sums.push({ path, sha256: found });
    else if (found !== sha256)
      report({ kind: "damaged", id, path, detail: "The file's bytes are not those that were stored" });
    header = await members.next();
  }
  if (header.name !== SUMS) members.giveUp(header.name, "The database does not name this file");
  return { header, sums };
}

/** Yields the files that a snapshot needs from the folder around it, with their sums. */
export function* sharedFiles({ db, pictures }: ReadBackup): Generator<KeptFile & { sha256: string }> {
  for (const [path, sha256] of pictures) yield { path, id: path, sha256 };
  yield* listOriginals(db);
}
