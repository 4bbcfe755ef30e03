import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketSettings } from "../../src/kernel/settings.ts";
import { bucketAt } from "./bucket.ts";

const SERVER = join(import.meta.dir, "s3-server.ts");
const KEYS: [string, string] = ["S3RVER", "S3RVER"];

/** Starts an S3 server with an empty bucket. It can be stopped and started again with what it has. */
export async function startBucketServer() {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-s3-"));
  let child: Bun.Subprocess | undefined;
  let port = 0;
  const start = async () => {
    const started = Bun.spawn([process.execPath, SERVER, folder, String(port)], {
      env: { PATH: process.env.PATH ?? "", HOME: folder },
      stdout: "pipe",
      stderr: "inherit",
    });
    child = started;
    const { value } = await started.stdout.getReader().read();
    port = Number(new TextDecoder().decode(value));
  };
  const stop = async () => {
    child?.kill("SIGKILL");
    await child?.exited;
  };
  await start();
  return {
    /** Where the server keeps its objects: files named `KEY._S3rver_object`. */
    folder,
    start,
    stop,
    newBucket: (change: Partial<BucketSettings> = {}): BucketSettings => ({
      ...bucketAt(`http://127.0.0.1:${port}`, "music", KEYS),
      ...change,
    }),
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
