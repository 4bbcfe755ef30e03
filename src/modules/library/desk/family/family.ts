import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { countLinks, familyOf, join, leave, type ReplacedPlace, toWire } from "../../families/service.ts";
import type { ChangedFamily, JoinFamily } from "../../families/shapes.ts";
import { UNDO_MINUTES } from "../bulk/shapes.ts";
import { insertSteps, insertUndo } from "../undo-queries.ts";
import { announce, type Target } from "./place.ts";

type FamilyDeps = Pick<Deps, "db" | "now">;
/**
 * Puts a track into the family of another one. It can be undone.
 *
 * @throws DomainError `track_not_found`, `validation_failed`, `family_full`.
 */
export function joinFamily(
  { db, now }: FamilyDeps,
  ownerId: LibraryId,
  trackId: string,
  { with: withId, ...place }: JoinFamily,
): ChangedFamily {
  return transact(db, (tx) => {
    const target = { ownerId, trackId, at: now() };
    return kept(tx, target, join(tx, { ...target, ...place, withId, joinedBy: "owner" }));
  });
}

/**
 * Takes a track out of its family. It can be undone.
 *
 * @throws DomainError `track_not_found`.
 */
export function leaveFamily({ db, now }: FamilyDeps, ownerId: LibraryId, trackId: string): ChangedFamily {
  return transact(db, (tx) => {
    const target = { ownerId, trackId, at: now() };
    return kept(tx, target, leave(tx, ownerId, trackId, target.at));
  });
}

function kept(tx: Db, target: Target, replaced: ReplacedPlace | undefined): ChangedFamily {
  const { ownerId, trackId, at } = target;
  const undoId = replaced ? newId("undo") : null;
  if (replaced && undoId !== null) {
    announce(tx, target);
    insertUndo(tx, { id: undoId, accountId: ownerId, createdAt: at, until: at + UNDO_MINUTES * MINUTE_MS });
    insertSteps(tx, undoId, trackId, [{ kind: "family", replaced }]);
  }
  return { ...toWire(familyOf(tx, ownerId, trackId), countLinks(tx, trackId, at)), undoId };
}
