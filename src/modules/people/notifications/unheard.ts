import type { Deps } from "../../../kernel/deps.ts";
import * as queries from "./queries.ts";
import type { EntityKey } from "./shapes.ts";

/** What somebody has not read yet, for a mail. */
export type Unheard = {
  kind: string;
  /** One sentence. */
  title: string;
  entityKey: EntityKey;
  entityId: string;
};

/**
 * Returns what happened within a time that a reader may know of, has not read, and did not do themselves: the newest first, at most
 * `limit`, with how many there are in all.
 *
 * @param when Epoch milliseconds: the first counts, the second does not.
 */
export function listUnheard(
  { db }: Pick<Deps, "db">,
  reader: queries.Reader,
  kinds: readonly string[],
  when: { from: number; until: number },
  limit: number,
): { items: Unheard[]; count: number } {
  const rows = queries.listUnheard(db, reader, kinds, when);
  const items = rows.slice(0, limit).map(({ kind, title, entityKey, entityId }) => ({
    ...{ kind, title, entityId },
    entityKey: entityKey as EntityKey, // nothing else is written
  }));
  return { items, count: rows.length };
}
