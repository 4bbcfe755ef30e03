import type { Db } from "../../../../db/client.ts";
import { pairUp } from "./match.ts";
import * as queries from "./queries.ts";

/**
 * Gives at most `limit` recordings of an account to another one. A sound that both have becomes one recording. Returns
 * how many there were.
 */
export function transferRecordings(tx: Db, from: string, to: string, limit: number): number {
  const rows = queries.listRecordings(tx, from, limit);
  for (const { id, pcmSha256 } of rows) {
    const same = queries.findByPcm(tx, to, pcmSha256);
    if (same === undefined) {
      queries.giveRecording(tx, id, to);
      pairUp(tx, to, id);
    } else queries.replaceRecording(tx, id, same);
  }
  return rows.length;
}
