import type { Db } from "../../../../db/client.ts";

/** Gives what an account took in from folders to another one, with the tracks that came of it. */
export function transferIntakes(tx: Db, from: string, to: string): void {
  tx.$client.query("UPDATE intakes SET account_id = ? WHERE account_id = ?").run(to, from);
}
