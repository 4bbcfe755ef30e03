import { change, hasDatabase, prefixOf, readRows } from "./store.ts";

/** A file that another app on the device shared with this one. It belongs to nobody until somebody takes it. */
export type SharedRow = { key: string; file: File };

/** Keeps files that were shared, until somebody says what becomes of them. @throws DOMException `QuotaExceededError`. */
export function keepShared(root: string, files: readonly File[]): Promise<void> {
  const name = `${prefixOf({ root })}shared\n${Date.now()}`;
  return change(["shared"], (store) => {
    for (const [index, file] of files.entries())
      store("shared").put({ key: `${name} ${String(index).padStart(4, "0")}`, file } satisfies SharedRow);
  });
}

/** Returns the files that were shared and wait, the oldest first. */
export const readShared = async (root: string): Promise<SharedRow[]> =>
  (await hasDatabase()) ? readRows<SharedRow>("shared", prefixOf({ root })) : [];

export function dropShared(rows: readonly SharedRow[]): Promise<void> {
  return change(["shared"], (store) => {
    for (const { key } of rows) store("shared").delete(key);
  });
}
