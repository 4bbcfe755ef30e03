import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Db, transact } from "../../../db/client.ts";
import { store } from "../../../db/schema.ts";
import type { Deps } from "../../kernel/deps.ts";
import { LibraryError } from "../../kernel/errors.ts";
import { replaceFile } from "../move.ts";
import type { DataDir } from "../paths.ts";
import { addHold } from "../removal.ts";
import { type Bucket, unavailable } from "./client.ts";
import { restartRemovals } from "./removals.ts";

/** The object, and the file in the data folder, that say which library and which bucket belong together. */
const BUCKET_MARKER = "store.json";
const FOLDER_MARKER = "bucket.json";

type Marker = { id: string; generation: number };

/** Returns which library a bucket belongs to; undefined for a new bucket. @throws DomainError `storage_unavailable`. */
export async function readBucketMarker(bucket: Bucket): Promise<Marker | undefined> {
  const body = await bucket.open(BUCKET_MARKER);
  if (!body) return undefined;
  try {
    const { id, generation } = JSON.parse(await new Response(body).text());
    if (typeof id === "string" && Number.isSafeInteger(generation)) return { id, generation };
  } catch (error) {
    throw unavailable(error);
  }
  throw unavailable(new Error(`${BUCKET_MARKER} is damaged`));
}

/** Returns the bucket, as `s3://name/prefix`, that has originals of the library in a data folder. */
export function readFolderMarker({ dataDir }: DataDir): string | undefined {
  const path = join(dataDir, FOLDER_MARKER);
  if (!existsSync(path)) return undefined;
  return String(JSON.parse(readFileSync(path, "utf8")).address);
}

/** Notes which bucket has originals of the library. */
export function writeFolderMarker({ dataDir }: DataDir, address: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  replaceFile(join(dataDir, FOLDER_MARKER), `${JSON.stringify({ address })}\n`);
}

/** Forgets the bucket, for a library whose originals are all in the data folder. */
export function removeFolderMarker({ dataDir }: DataDir): void {
  rmSync(join(dataDir, FOLDER_MARKER), { force: true });
}

/** @throws LibraryError when a bucket has the originals of another library than `id`. */
export function requireOwn(found: Marker | undefined, id: string | undefined, address: string): void {
  if (found && found.id !== id)
    throw new LibraryError(
      `BLOB_STORE (${address}) has the audio of another library: choose another bucket or prefix, or put back the dubplate.db that belongs to it`,
    );
}

/**
 * Checks that a bucket belongs to the library, or takes an empty one for it. A bucket that a newer server or another
 * folder of the same library has used holds removal until the operator accepts.
 *
 * @throws LibraryError when it belongs to another library; DomainError `storage_unavailable`.
 */
export async function takeBucket(
  { db, now }: Pick<Deps, "db" | "now">,
  settings: DataDir,
  bucket: Bucket,
): Promise<void> {
  const row = identityOf(db);
  if (!row) return;
  const found = await readBucketMarker(bucket);
  requireOwn(found, row.id, bucket.address);
  const isKnown = readFolderMarker(settings) === bucket.address;
  if (found && (!isKnown || found.generation > row.generation)) holdFor(db, found, row, now());
  if (found?.generation !== row.generation) await bucket.putText(BUCKET_MARKER, `${JSON.stringify(row)}\n`);
  if (!isKnown) writeFolderMarker(settings, bucket.address);
}

/** Returns true when no newer server has used the bucket since {@link takeBucket}; otherwise it holds removal. */
export async function isOurs({ db, now }: Pick<Deps, "db" | "now">, bucket: Bucket): Promise<boolean> {
  const row = identityOf(db);
  const found = row && (await readBucketMarker(bucket));
  if (!row || !found) return !row;
  if (found.id === row.id && found.generation <= row.generation) return true;
  holdFor(db, found, row, now());
  return false;
}

function holdFor(db: Db, found: Marker, row: Marker, at: number): void {
  const detail = { database: row.generation, bucket: found.generation };
  transact(db, (tx) => {
    addHold(tx, "older_database", detail, at);
    restartRemovals(tx, at);
  });
}

function identityOf(db: Db): Marker | undefined {
  return db.select({ id: store.id, generation: store.generation }).from(store).get();
}
