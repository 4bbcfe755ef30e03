import { existsSync, readFileSync } from "node:fs";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { replaceFile } from "../blobs/move.ts";
import type { Deps } from "../kernel/deps.ts";
import { DAY_MS, HOUR_MS } from "../kernel/time.ts";
import { deleteCopies, outlivedCopies, servedPath } from "./upgrade-copies.ts";

/** For how long a server must have served a schema before older copies are deleted. */
const PROVED_AFTER_MS = DAY_MS;
/** A clock that jumps further than this between two notes was set, or the machine slept. */
const LONGEST_STEP_MS = 2 * HOUR_MS;

/** For how long servers have served a schema, as `before-upgrade/served.json` has it. */
type Served = { schema: number; servedMs: number };

/** Counts how long this server serves its schema, over restarts. */
type Serving = {
  /** Adds the time since the last call. After a day in all, deletes the copies that are no longer needed. */
  note: () => void;
};

/** Starts to count. Only the library's one server may call this. */
export function countServing({ now, settings, log }: Pick<Deps, "now" | "settings" | "log">): Serving {
  let since = now();
  return {
    note() {
      const at = now();
      const stepMs = Math.min(Math.max(0, at - since), LONGEST_STEP_MS);
      since = at;
      const outlived = outlivedCopies(settings, SCHEMA_VERSION);
      if (outlived.length === 0) return;
      const path = servedPath(settings);
      const servedMs = readServed(path) + stepMs;
      if (servedMs < PROVED_AFTER_MS) {
        const served: Served = { schema: SCHEMA_VERSION, servedMs };
        replaceFile(path, `${JSON.stringify(served)}\n`);
        return;
      }
      deleteCopies(outlived);
      log("info", "Deleted copies of the database from before earlier upgrades", { copies: outlived.length });
    },
  };
}

/** A record of another schema, and one that cannot be read, count as none. */
function readServed(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    const { schema, servedMs }: Partial<Served> = JSON.parse(readFileSync(path, "utf8"));
    return schema === SCHEMA_VERSION && Number.isFinite(servedMs) ? Number(servedMs) : 0;
  } catch {
    return 0;
  }
}
