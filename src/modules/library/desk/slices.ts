import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";

/** How long a transaction may hold the thread: other requests wait no longer. */
const SLICE_MS = 10;

/**
 * Works through items in short transactions, and serves other requests in between. `work` must be synchronous; what it
 * throws ends the whole, and its slice is rolled back. When `mustStop` says so between two slices, the rest stays undone.
 */
export async function inSlices<Item>(
  { db }: Pick<Deps, "db">,
  items: readonly Item[],
  work: (tx: Deps["db"], item: Item) => void,
  mustStop: () => boolean = () => false,
): Promise<void> {
  for (let next = 0; next < items.length && !mustStop(); ) {
    next = transact(db, (tx) => {
      const until = performance.now() + SLICE_MS;
      let at = next;
      do {
        const item = items[at++];
        if (item !== undefined) work(tx, item);
      } while (at < items.length && performance.now() < until);
      return at;
    });
    await Bun.sleep(0);
  }
}
