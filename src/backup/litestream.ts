import { chmodSync, existsSync } from "node:fs";
import { LibraryError } from "../kernel/errors.ts";
import { isReplicaUrl } from "../kernel/settings.ts";

/** A replica of the database that Litestream writes. */
export type Replica = {
  /** A configuration file of Litestream that names the database, or the replica's URL. */
  source: string;
  /** Path of the database, as the configuration has it. */
  databasePath: string;
  /** Path of the program. */
  program: string;
};

/** A replica that was restored. `newestAt` (epoch ms, to the second) is when its last transaction was replicated. */
export type Restored = { newestAt: number };

/** A replica that could not be restored. `message` is what Litestream said. */
export class RestoreError extends Error {
  override readonly name = "RestoreError";
}

/**
 * Returns the path of Litestream: `configured`, or the first in PATH.
 *
 * @throws LibraryError when it is not there.
 */
export function findLitestream(configured: string | undefined): string {
  const path = Bun.which(configured ?? "litestream");
  if (path !== null) return path;
  if (configured === undefined)
    throw new LibraryError("litestream was not found: install it, or set LITESTREAM_PATH");
  throw new LibraryError(
    `LITESTREAM_PATH (${configured}) is not a program: set it to the path of litestream`,
  );
}

/**
 * Restores the newest state of a replica to a new file.
 *
 * @throws RestoreError when Litestream cannot do it; LibraryError when there is no such configuration.
 */
export async function restoreReplica(replica: Replica, target: string): Promise<Restored> {
  const { source, databasePath } = replica;
  if (!isReplicaUrl(source) && !existsSync(source)) throw new LibraryError(`There is no file ${source}`);
  const from = isReplicaUrl(source) ? [source] : ["-config", source, databasePath];
  // The plan first: the restored database is as new as the plan says, or newer.
  const plan = JSON.parse(await run(replica, ["-dry-run", "-json", "-o", target, ...from]));
  await run(replica, ["-json", "-o", target, ...from]);
  chmodSync(target, 0o600);
  const times: number[] = plan.files.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
  return { newestAt: Math.max(...times) };
}

async function run({ program }: Replica, args: readonly string[]): Promise<string> {
  const child = Bun.spawn([program, "restore", ...args], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) return stdout;
  const last = `${stdout}\n${stderr}`.trim().split("\n").at(-1) ?? "";
  throw new RestoreError(/\berror="?(.*?)"?$/.exec(last)?.[1] ?? (last || `exit code ${code}`));
}
