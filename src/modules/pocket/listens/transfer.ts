import type { Db } from "../../../../db/client.ts";
import { ownerOf } from "../../people/team/service.ts";

/** Gives what the owner of an account heard to the owner of another one. What others heard is forgotten. */
export function transferListens(tx: Db, from: string, to: string): void {
  const [giver, receiver] = [ownerOf(tx, from), ownerOf(tx, to)];
  if (giver !== undefined && receiver !== undefined)
    tx.$client
      .query<void, [string, string, string, string]>(
        "UPDATE OR IGNORE listens SET account_id = ?, person_id = ? WHERE account_id = ? AND person_id = ?",
      )
      .run(to, receiver, from, giver);
  tx.$client.query<void, [string]>("DELETE FROM listens WHERE account_id = ?").run(from);
}
