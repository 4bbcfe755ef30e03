import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { periodOf } from "./periods.ts";
import { writeDigests } from "./write.ts";

/** Writes digests for as long as the server runs. */
export type Digests = {
  /** Resolves when the work in progress has ended. */
  stop: () => Promise<void>;
};

/** Writes the digests that are due, now and at each full hour. A machine that slept through one does so when it wakes. */
export function startDigests(deps: Pick<Deps, "db" | "now" | "log" | "settings" | "secrets">): Digests {
  let hour: number | undefined;
  let working: Promise<unknown> = Promise.resolve();
  const look = () => {
    const now = periodOf("hourly", deps.now());
    if (now === hour || conditionOf(deps.db).damage !== undefined) return;
    hour = now;
    working = working.then(() => writeDigests(deps));
  };
  look();
  const looking = setInterval(look, MINUTE_MS).unref();
  return {
    async stop() {
      clearInterval(looking);
      await working;
    },
  };
}
