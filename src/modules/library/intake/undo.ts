import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { deleteTrack } from "../bin/service.ts";
import { findOwnedTrack, getOwnedTrack } from "../catalog/service.ts";
import { activateVersion, deleteVersion } from "../versions/service.ts";
import { toIntake } from "./list.ts";
import type { IntakeRow } from "./queries.ts";
import * as queries from "./queries.ts";
import type { Intake } from "./shapes.ts";

type UndoDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "ffmpegPath">;

/**
 * Takes back what a file became: a track goes into the bin, a version is deleted and the track plays again what it played before.
 * The file in the folder stays, and is not taken in again.
 *
 * @throws DomainError `undo_not_found`; `changed_since` when the track has got other versions since, or plays another one.
 */
export function undoIntake(deps: UndoDeps, accountId: LibraryId, id: string): Intake {
  const { row, undone } = transact(deps.db, (tx) => {
    const row = queries.findIntake(tx, accountId, id);
    if (
      !row ||
      row.outcome === "known" ||
      row.undoneAt !== null ||
      !findOwnedTrack(tx, accountId, row.trackId)
    )
      throw new DomainError("undo_not_found", "There is nothing left to undo");
    const own = within(deps, tx);
    if (row.outcome === "track") undoTrack(own, row);
    else leaveVersion(own, row);
    const undoneAt = deps.now();
    queries.markUndone(tx, id, undoneAt);
    return { row, undone: toIntake(tx, { ...row, outcome: row.outcome, undoneAt }) };
  });
  // Its file moves, so this comes after the commit.
  if (row.outcome === "version") deleteVersion(deps, targetOf(row));
  return undone;
}

const targetOf = ({ accountId, trackId, versionId }: IntakeRow) => ({
  ownerId: accountId,
  trackId,
  versionId: versionId ?? "",
});

function undoTrack(deps: UndoDeps, { accountId, trackId }: IntakeRow): void {
  if (queries.countVersions(deps.db, trackId) > 1) throw changed("The track has other versions by now");
  deleteTrack(deps, accountId, trackId);
}

/** Has the track play what it played before the version came. */
function leaveVersion(deps: UndoDeps, row: IntakeRow): void {
  const target = targetOf(row);
  const { activeVersionId } = getOwnedTrack(deps.db, target.ownerId, target.trackId);
  const next = activeVersionId === row.versionId ? row.versionBefore : activeVersionId;
  const isThere = (versionId: string | null) =>
    versionId !== null && queries.hasVersion(deps.db, target.trackId, versionId);
  if (next === null || !isThere(next) || !isThere(row.versionId))
    throw changed("The versions of the track were changed since");
  activateVersion(deps, { ...target, versionId: next });
}

const changed = (why: string) => new DomainError("changed_since", `${why}, so it stays as it is`);
