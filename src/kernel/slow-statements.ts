import { watchSlowStatements } from "../../db/slow.ts";
import type { Deps } from "./deps.ts";
import { meter } from "./meter.ts";
import type { Settings } from "./settings.ts";

type Reporting = Pick<Deps, "db" | "log"> & { settings: Pick<Settings, "slowQueryMs"> };

/** Logs statements of a connection that take SLOW_QUERY_MS or longer, and counts them. */
export function reportSlowStatements({ db, log, settings: { slowQueryMs } }: Reporting): void {
  if (slowQueryMs === 0) return;
  watchSlowStatements(db, slowQueryMs, ({ sql, ms }) => {
    meter(db, { kind: "slow statement" });
    log("warn", "A statement was slow", { ms, sql });
  });
}
