import type { FileSource } from "../kernel/file-source.ts";
import { createPool } from "../kernel/pool.ts";

const ASKED_AT_ONCE = 16;

/**
 * Returns those of the files that are no longer there, for work that a missing file would break off, such as an archive.
 *
 * @throws DomainError `storage_unavailable`.
 */
export async function missingOf(sources: readonly FileSource[]): Promise<Set<FileSource>> {
  const missing = new Set<FileSource>();
  const pool = createPool(ASKED_AT_ONCE);
  for (const source of sources)
    if (typeof source !== "string")
      await pool.add(async () => {
        if (!(await source.isThere())) missing.add(source);
      });
  await pool.end();
  return missing;
}
