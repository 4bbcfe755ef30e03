import { transactUnsynced } from "../../../../db/client.ts";
import { unnoticed } from "../../../../db/unchanged.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { updatePlayer } from "./queries.ts";

/** How often uses are written: a crash loses at most one second of them. */
const FLUSH_MS = SECOND_MS;
/** Characters of what an app says it is. */
const MAX_CLIENT = 60;

/** Collects when music apps were last used, and what they say they are, and writes it in batches. */
export type PlayerUses = {
  record: (playerId: string, client: string | undefined) => void;
  /** Writes what was collected now. Never throws. */
  flush: () => void;
};

/** Makes a collector that writes at most once per second, and only when it has something to write. */
export function createPlayerUses({ db, now, log }: Pick<Deps, "db" | "now" | "log">): PlayerUses {
  const uses = new Map<string, { lastUsedAt: number; client?: string }>();
  let timer: Timer | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (uses.size === 0) return;
    try {
      unnoticed(db, () =>
        transactUnsynced(db, (tx) => {
          for (const [id, use] of uses) updatePlayer(tx, id, use);
        }),
      );
      uses.clear();
    } catch (error) {
      // They are written with the next use.
      log("error", "The uses of music apps cannot be written now", { error });
      conditionOf(db).report(error);
    }
  };

  return {
    record: (playerId, client) => {
      const said = client ? { client: client.slice(0, MAX_CLIENT) } : {};
      uses.set(playerId, { ...uses.get(playerId), lastUsedAt: now(), ...said });
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
  };
}
