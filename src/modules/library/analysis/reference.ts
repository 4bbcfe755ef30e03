import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { ReferenceOutcome, ReferencePool, ReferenceTask } from "./task.ts";

/** The threads that measure references over each database, where there are any. */
const pools = new WeakMap<Db, ReferencePool>();

/** Lets a thread measure references from now on. Returns a function to stop it. */
export function startMeasuringReferences(db: Db, pool: ReferencePool): { stop: () => void } {
  pools.set(db, pool);
  return {
    stop() {
      pools.delete(db);
      pool.close();
    },
  };
}

/**
 * Measures a part of a file that is not in the library: in a thread where there is one, otherwise here.
 *
 * @throws What is not the file's fault, or the signal's reason.
 */
export async function measureReferenceFile(
  { db, ffmpegPath, selfCommand }: Pick<Deps, "db" | "ffmpegPath" | "selfCommand">,
  { path, fromSec, toSec }: Pick<ReferenceTask, "path" | "fromSec" | "toSec">,
  signal: AbortSignal,
): Promise<ReferenceOutcome> {
  const task: ReferenceTask = { path, ffmpegPath, selfCommand, only: "reference", fromSec, toSec };
  const pool = pools.get(db);
  if (pool) return pool.run(task, signal);
  return (await import("./measure-reference.ts")).measureReference(task, signal);
}
