import type { Db } from "../../db/client.ts";

/** A file that a row names and that cannot be made again: an original or a picture. */
export type KeptFile = {
  /** Relative to the data folder, with slashes. */
  path: string;
  /** The id of a row that names it. */
  id: string;
  /** Lower-case hex; undefined when the library has not recorded it. */
  sha256?: string;
  sizeBytes?: number;
};

/** Yields every original that a version names, in the order of their paths. Served by index `versions_by_blob`. */
export function* listOriginals(db: Db): Generator<KeptFile & { sha256: string; sizeBytes: number }> {
  const rows = db.$client.prepare<{ id: string; sha256: string; sizeBytes: number }, []>(
    "SELECT min(id) AS id, sha256, max(size_bytes) AS sizeBytes FROM versions GROUP BY sha256 ORDER BY sha256",
  );
  try {
    for (const row of rows.iterate()) yield { ...row, path: originalPath(row.sha256) };
  } finally {
    rows.finalize();
  }
}

/** Returns the path of an original, relative to the data folder: `audio/ab/cd/abcd…`. */
export function originalPath(sha256: string): string {
  return `audio/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}
