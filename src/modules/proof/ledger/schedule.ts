import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS, SECOND_MS } from "../../../kernel/time.ts";
import { recordSome } from "./append.ts";
import { currentHead } from "./prove.ts";
import { stampHeads } from "./stamp.ts";

/** How soon after a deed its record is there. */
const LOOK_MS = 5 * SECOND_MS;

/** Keeps the ledgers for as long as the server runs. */
export type LedgerKeeping = { stop: () => void };

type ScheduleDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

/** Gives deeds their places as they come, signs the head of every ledger that has grown once a day, and has it stamped. */
export function startLedgers(deps: ScheduleDeps): LedgerKeeping {
  let day = Math.floor(deps.now() / DAY_MS);
  const isOver = new AbortController();
  const stamp = () =>
    void stampHeads(deps, isOver.signal).catch((error: unknown) => {
      if (!isOver.signal.aborted) deps.log("error", "Heads of ledgers could not be stamped", { error });
    });
  const look = () => {
    if (conditionOf(deps.db).damage !== undefined) return;
    try {
      const isMore = recordSome(deps) > 0;
      const today = Math.floor(deps.now() / DAY_MS);
      if (isMore || today === day) return;
      day = today;
      signHeads(deps);
      stamp();
    } catch (error) {
      deps.log("error", "The ledger could not be kept", { error });
      conditionOf(deps.db).report(error);
    }
  };
  look();
  stamp();
  const looking = setInterval(look, LOOK_MS).unref();
  return {
    stop: () => {
      clearInterval(looking);
      isOver.abort();
    },
  };
}

/** Signs the head of every ledger that has grown since its last one. */
export function signHeads(deps: ScheduleDeps): void {
  for (const { ownerId } of grownLogs(deps.db).all()) currentHead(deps, ownerId);
}

/** The same for a backup that is about to be made, which must not fail because the disk is full. */
export function signHeadsForBackup(deps: ScheduleDeps): void {
  try {
    signHeads(deps);
  } catch (error) {
    deps.log("warn", "The heads of the ledgers could not be signed for the backup", { error });
  }
}

const grownLogs = prepared((db: Db) =>
  db.$client.prepare<{ ownerId: LibraryId }, []>(
    `SELECT owner_id AS ownerId FROM ledger_logs l
     WHERE ended_at IS NULL AND size > (SELECT coalesce(max(size), 0) FROM ledger_heads h WHERE h.log = l.id)`,
  ),
);
