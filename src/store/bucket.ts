import { BucketFault, createBucket } from "../blobs/bucket/client.ts";
import { readBucketMarker, readFolderMarker, requireOwn } from "../blobs/bucket/marker.ts";
import type { StoreSettings } from "../blobs/store.ts";
import { LibraryError } from "../kernel/errors.ts";
import { databasePath } from "./check.ts";
import { inspectFile } from "./inspect.ts";

/**
 * Checks that a library whose originals are in a bucket is not opened without it.
 *
 * @throws LibraryError.
 */
export function checkBucketSetting(settings: StoreSettings): void {
  const address = readFolderMarker(settings);
  if (address !== undefined && !settings.bucket)
    throw new LibraryError(
      `The audio of the library in DATA_DIR (${settings.dataDir}) is in ${address}: set BLOB_STORE, or move the audio back with BLOB_STORE set: dubplate store move --to disk`,
    );
}

/**
 * Asks the bucket of the settings, before a server starts, whether it belongs to the library in the data folder. A
 * bucket that does not answer does not keep a server from starting.
 *
 * @throws LibraryError when it belongs to another library, or refuses the keys.
 */
export async function checkBucket(settings: StoreSettings): Promise<"silent" | "ready" | undefined> {
  if (!settings.bucket) return undefined;
  const bucket = createBucket(settings.bucket);
  let marker: Awaited<ReturnType<typeof readBucketMarker>>;
  try {
    marker = await readBucketMarker(bucket);
  } catch (error) {
    const cause = (error as Error).cause;
    if (cause instanceof BucketFault && (cause.status === undefined || cause.status >= 500)) return "silent";
    throw new LibraryError(`BLOB_STORE (${bucket.address}) cannot be used: ${(cause as Error).message}`);
  }
  const found = inspectFile(databasePath(settings));
  const id = found.kind === "ours" ? found.store?.id : undefined;
  requireOwn(marker, id, bucket.address);
  const before = readFolderMarker(settings);
  if (!marker && before !== undefined && before !== bucket.address)
    throw new LibraryError(
      `The library's audio is in ${before}, and BLOB_STORE (${bucket.address}) is empty: copy the whole bucket first, or set BLOB_STORE back`,
    );
  return "ready";
}
