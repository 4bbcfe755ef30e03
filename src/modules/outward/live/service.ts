import type { Deps } from "../../../kernel/deps.ts";
import { type Listener, newsAfter } from "./changes.ts";
import type { Changes } from "./shapes.ts";

export { createLive, type Live, type LiveTiming } from "./streams.ts";

/** Returns what changed for a member after the change that a client heard of last. */
export function listChanges({ db }: Pick<Deps, "db">, listener: Listener, after?: string): Changes {
  const heard = after === undefined ? undefined : Number(after);
  const { seq, changes, isLost } = newsAfter(db, listener, heard);
  return { seq: String(seq), changes, lost: isLost };
}
