import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newsAfter } from "./changes.ts";
import type { Changes } from "./shapes.ts";

export { createLive, type Live, type LiveTiming } from "./streams.ts";

/** Returns what changed for an account after the change that a client heard of last. */
export function listChanges({ db }: Pick<Deps, "db">, accountId: LibraryId, after?: string): Changes {
  const heard = after === undefined ? undefined : Number(after);
  const { seq, changes, isLost } = newsAfter(db, accountId, heard);
  return { seq: String(seq), changes, lost: isLost };
}
