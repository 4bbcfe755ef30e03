import type { Db } from "../../../../db/client.ts";
import type { TimedLine } from "../../../media/lyrics/lines.ts";
import { deleteTimed, putTimed } from "./queries.ts";

/**
 * Writes when the words are sung as a version's file says it. What a person wrote stays, and the words themselves are the track's. Call
 * it inside the transaction that stores what was read of the file.
 *
 * @param lines Undefined: the file does not say.
 */
export function putLyricsOfFile(tx: Db, versionId: string, lines: TimedLine[] | undefined, at: number): void {
  if (lines) putTimed(tx, versionId, { lines, origin: "file", updatedAt: at });
  else deleteTimed(tx, versionId, "file");
}
