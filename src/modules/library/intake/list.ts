import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { cutPage, type Page } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { titleOf } from "../catalog/service.ts";
import { selectNames } from "../uploads/service.ts";
import type { ChangeRow, IntakeRow } from "./queries.ts";
import * as queries from "./queries.ts";
import type { Intake, IntakesQuery, RememberedFile, RememberedQuery } from "./shapes.ts";

/**
 * Returns a page of the files taken in from folders, the newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listIntakes(
  { db }: Pick<Deps, "db">,
  accountId: LibraryId,
  query: IntakesQuery,
): Page<Intake> {
  const { items, paging } = cutPage(
    query,
    `intakes ${accountId}`,
    (after, limit) => queries.selectChanges(db, accountId, Number(after.key), limit),
    ({ seq }) => seq,
  );
  return { items: items.map((row) => toIntake(db, row)), paging };
}

/** Returns a page of a folder's remembered files, the last seen first. */
export function listRemembered(
  { db }: Pick<Deps, "db">,
  accountId: LibraryId,
  { source, ...page }: RememberedQuery,
): Page<RememberedFile> {
  const { items, paging } = cutPage(
    page,
    `remembered ${accountId} ${source}`,
    (after, limit) => queries.selectRemembered(db, { accountId, source, before: Number(after.key), limit }),
    ({ seq }) => seq,
  );
  return { items: items.map(toRemembered), paging };
}

/** Returns all that is known of a folder's files. */
export function listAllRemembered(
  { db }: Pick<Deps, "db">,
  accountId: LibraryId,
  source: string,
): RememberedFile[] {
  const [before, limit] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return queries.selectRemembered(db, { accountId, source, before, limit }).map(toRemembered);
}

const toRemembered = ({ path, sizeBytes, modifiedAt, inode, trackId }: IntakeRow): RememberedFile => ({
  path,
  sizeBytes,
  modifiedAt,
  inode,
  trackId,
});

export function toIntake(db: Db, row: ChangeRow): Intake {
  const { id, takenAt, kind, source, path, outcome, trackId, versionId, label, reason, undoneAt } = row;
  const names = selectNames(db, row.accountId, trackId);
  return {
    id,
    takenAt: toIso(takenAt),
    ...{ kind, source, path, outcome, trackId, versionId, label, reason },
    title: names ? titleOf(names) : null,
    undoneAt: undoneAt === null ? null : toIso(undoneAt),
  };
}
