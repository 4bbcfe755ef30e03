import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type Db, transact } from "../../../db/client.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { RemoteFile } from "../../kernel/file-source.ts";
import type { BucketSettings } from "../../kernel/settings.ts";
import { originalPath } from "../kept.ts";
import { isNamed } from "../named.ts";
import type { Arrived, LocalCopy, Originals, StoreSettings } from "../originals.ts";
import { blobPath, isSha256 } from "../paths.ts";
import { type Bucket, createBucket, unavailable } from "./client.ts";
import { download } from "./download.ts";
import { emptyBucket } from "./empty-bucket.ts";
import { takeBucket } from "./marker.ts";
import { claim, deleteRemoval, findRemoval, insertErasure, insertRemoval, listRemovals } from "./removals.ts";

type BucketStoreSettings = StoreSettings & { bucket: BucketSettings };
type KeepDeps = Parameters<Originals["keep"]>[0];

/**
 * Returns the store in a bucket. Files that are still in the data folder are used from there, so a library can move
 * while it is served. Objects do not move: which of them are to go, and since when, is in the database.
 */
export function bucketOriginals(settings: BucketStoreSettings, local: Originals): Originals {
  const bucket = createBucket(settings.bucket);
  const kept = new WeakSet<Arrived>();
  const confirmed = once((deps: KeepDeps) => takeBucket(deps, settings, bucket));
  const isHere = ({ sha256, sizeBytes }: Pick<Arrived, "sha256" | "sizeBytes">) =>
    statSync(blobPath(settings, sha256), { throwIfNoEntry: false })?.size === sizeBytes;
  return {
    keep: async (deps, staged) => {
      if (!isHere(staged)) {
        await confirmed(deps);
        await upload(deps, bucket, staged);
      }
      kept.add(staged);
    },
    place: (tx, staged) => {
      if (!kept.has(staged)) throw new Error("A file was placed that was not kept");
      if (!isNamed(tx, staged.sha256) && !isHere(staged)) settle(tx, staged.sha256);
    },
    // The upload is in the database already.
    takeBack: () => undefined,
    setAside: (tx, sha256, at) => {
      if (isNamed(tx, sha256)) return;
      local.setAside(tx, sha256, at);
      insertRemoval(tx, sha256, at);
    },
    erase: (tx, sha256) => {
      local.erase(tx, sha256);
      insertErasure(tx, sha256);
    },
    find: (sha256) => {
      const path = blobPath(settings, sha256);
      return existsSync(path) ? path : remoteFile(bucket, sha256, { local, settings });
    },
    locate: (sha256) => local.locate(sha256) ?? remoteFile(bucket, sha256, { local, settings }),
    localCopy: async (sha256) =>
      existsSync(blobPath(settings, sha256))
        ? local.localCopy(sha256)
        : copyOf(settings, bucket, sha256, local),
    fetchCopy: (sha256) => fetchCopy(settings, bucket, sha256),
    copyOut: async (deps, { path, sha256, sizeBytes }) => {
      const key = originalPath(sha256);
      await confirmed(deps);
      await bucket.putFile(key, { path, sizeBytes });
      const body = await bucket.open(key);
      return body !== undefined && (await hashOf(body)) === sha256;
    },
    remoteSize: (sha256) => bucket.sizeOf(originalPath(sha256)),
    listRemote: async function* () {
      for await (const { key, sizeBytes } of bucket.list("audio/")) {
        const sha256 = key.slice(key.lastIndexOf("/") + 1);
        if (isSha256(sha256) && key === originalPath(sha256)) yield { sha256, sizeBytes };
      }
    },
    listLeaving: listRemovals,
    isLeaving: (db, sha256) => findRemoval(db, sha256) !== undefined,
    leave: insertRemoval,
    stay: deleteRemoval,
    emptyRemote: async (deps, olderThanMs) => {
      await confirmed(deps);
      return emptyBucket(deps, { settings, bucket }, olderThanMs);
    },
  };
}

async function hashOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of body) hash.update(chunk);
  return hash.digest("hex");
}

/** Returns a function that calls `work` until it has succeeded once. */
function once<Argument>(work: (argument: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
  let done: Promise<void> | undefined;
  return (argument) => {
    done ??= work(argument).catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** The note in the database comes first: whatever happens to this process, the object goes unless a version names it. */
async function upload(
  { db, now }: KeepDeps,
  bucket: Bucket,
  { path, sha256, sizeBytes }: Arrived,
): Promise<void> {
  const mayUpload = transact(db, (tx) => isNamed(tx, sha256) || claim(tx, sha256, now()));
  if (!mayUpload) throw beingDeleted(sha256);
  const key = originalPath(sha256);
  if ((await bucket.sizeOf(key)) !== sizeBytes) await bucket.putFile(key, { path, sizeBytes });
}

/** Ends the note of an object that a version is about to name. */
function settle(tx: Db, sha256: string): void {
  const note = findRemoval(tx, sha256);
  if (!note || note.deletingAt !== null || note.isDeleted) throw beingDeleted(sha256);
  deleteRemoval(tx, sha256);
}

const beingDeleted = (sha256: string) => unavailable(new Error(`${sha256} is being deleted`));

/** A file that has left the bucket may still be in the quarantine of the data folder. */
function remoteFile(
  bucket: Bucket,
  sha256: string,
  { local, settings }: { local: Originals; settings: BucketStoreSettings },
): RemoteFile {
  const key = originalPath(sha256);
  return {
    open: async (range) => {
      const body = (await bucket.open(key, range)) ?? openLocal(local, sha256, range);
      if (body) return body;
      throw new DomainError("file_missing", "The file is missing from the server's storage");
    },
    isThere: async () => (await bucket.sizeOf(key)) !== undefined || local.find(sha256) !== undefined,
    link: (as) => (settings.bucket.isRedirected ? bucket.link(key, as) : undefined),
  };
}

function openLocal(local: Originals, sha256: string, range: { start: number; end: number } | undefined) {
  const path = local.find(sha256);
  if (typeof path !== "string") return undefined;
  const file = Bun.file(path);
  return (range ? file.slice(range.start, range.end) : file).stream();
}

/** Downloads an object, whatever its bytes; undefined when there is none. */
async function fetchCopy(settings: StoreSettings, bucket: Bucket, sha256: string) {
  const key = originalPath(sha256);
  const sizeBytes = await bucket.sizeOf(key);
  const body = sizeBytes === undefined ? undefined : await bucket.open(key);
  return body && sizeBytes !== undefined ? download(settings, body, sizeBytes) : undefined;
}

async function copyOf(
  settings: StoreSettings,
  bucket: Bucket,
  sha256: string,
  local: Originals,
): Promise<LocalCopy | undefined> {
  const copy = await fetchCopy(settings, bucket, sha256);
  if (!copy) return local.localCopy(sha256);
  const release = () => rm(copy.path, { force: true });
  if (copy.sha256 === sha256) return { path: copy.path, release };
  await release();
  throw new Error(`${bucket.address}/${originalPath(sha256)} does not have the bytes that were stored`);
}
