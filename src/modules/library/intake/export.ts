import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  intakes: intakesOf,
};

/** Files that came in from watched folders, by `send` and by `import`. */
function intakesOf({ db, accountId }: ExportSource): Plain[] {
  return db.$client
    .query<Plain, [string]>(
      `SELECT id, kind, source, path, sha256, outcome, reason, label, track_id AS trackId, version_id AS versionId,
         taken_at AS takenAt, undone_at AS undoneAt
       FROM intakes WHERE account_id = ? ORDER BY seq`,
    )
    .all(accountId)
    .map((row) => plain(row));
}
