import type { BucketSettings } from "../kernel/settings.ts";
import { bucketOriginals } from "./bucket/bucket-originals.ts";
import { localOriginals } from "./local-originals.ts";
import type { Originals, StoreSettings } from "./originals.ts";

export { missingOf } from "./missing.ts";
export { audioShelf } from "./named.ts";
export type { Originals, StoreSettings } from "./originals.ts";
export { blobPath } from "./paths.ts";
export { discardStaged, type StagedFile, stageFile } from "./staging.ts";

/** The store of a bucket remembers what it has uploaded and checked. */
const ofBucket = new WeakMap<BucketSettings, Originals>();

/** Returns the store of the originals that the settings name. */
export function originalsOf(settings: StoreSettings): Originals {
  const { bucket } = settings;
  if (!bucket) return localOriginals(settings);
  const known = ofBucket.get(bucket);
  if (known) return known;
  const made = bucketOriginals({ ...settings, bucket }, localOriginals(settings));
  ofBucket.set(bucket, made);
  return made;
}

/** Calls `work` with the path of a file that has these bytes, and returns its result; undefined when they are missing. */
export async function withLocalCopy<Result>(
  settings: StoreSettings,
  sha256: string,
  work: (path: string) => Promise<Result>,
): Promise<Result | undefined> {
  const copy = await originalsOf(settings).localCopy(sha256);
  if (!copy) return undefined;
  try {
    return await work(copy.path);
  } finally {
    await copy.release();
  }
}
