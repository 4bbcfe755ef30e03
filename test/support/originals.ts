import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createBucket } from "../../src/blobs/bucket/client.ts";
import { originalPath } from "../../src/blobs/kept.ts";
import { blobPath, originalsOf } from "../../src/blobs/store.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { bytesOf } from "../../src/kernel/file-source.ts";

/** True when the tests run on the bucket that `TEST_S3` names: for tests of the data folder itself. */
export const onBucket = Boolean(process.env.TEST_S3);

export const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/**
 * The originals of a library, by SHA-256, wherever its store keeps them. In a bucket, those that wait to be deleted do not
 * count: objects do not move, so they are still there.
 */
export function originalsIn({ db, settings }: Pick<Deps, "db" | "settings">) {
  const store = originalsOf(settings);
  const leaving = () => new Set(store.listLeaving(db).map(({ sha256 }) => sha256));
  const remote = async () => (await Array.fromAsync(store.listRemote())).map(({ sha256 }) => sha256);
  const list = async () => {
    const gone = leaving();
    const kept = (await remote()).filter((sha256) => !gone.has(sha256));
    return [...filesUnder(join(settings.dataDir, "audio")), ...kept].sort();
  };
  return {
    list,
    has: async (sha256: string) => (await list()).includes(sha256),
    /** Those that wait in the quarantine or in the bucket to be deleted. */
    listSetAside: async () => {
      const gone = leaving();
      const files = filesUnder(join(settings.dataDir, "quarantine"), /^\d{4}-\d\d-\d\d\/audio\//);
      return [...files, ...(await remote()).filter((sha256) => gone.has(sha256))];
    },
    bytes: async (sha256: string) => {
      const source = store.locate(sha256);
      if (source === undefined) throw new Error(`There is no original ${sha256}`);
      return Buffer.concat(await Array.fromAsync(bytesOf(source)));
    },
    /** Deletes an original that a version names, as a person with another tool might. */
    lose: async (sha256: string) => {
      rmSync(blobPath(settings, sha256), { force: true });
      if (settings.bucket) await createBucket(settings.bucket).delete(originalPath(sha256));
    },
  };
}

/** Returns the names of the files in a folder and in the folders below it. */
function filesUnder(folder: string, path = /./): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => path.test(join(parentPath, name).slice(folder.length + 1)))
    .map(({ name }) => name);
}
