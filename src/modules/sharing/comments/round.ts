import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getOwnedTrack } from "../../library/catalog/service.ts";
import { offsetBetween } from "../../library/recordings/service.ts";
import { labelOf, lengthOf, versionOf } from "./places.ts";
import { selectByIds } from "./queries.ts";
import { MAX_ROUND_NOTES, type Round } from "./review-shapes.ts";
import { listReviews } from "./reviews.ts";
import * as queries from "./round-queries.ts";
import { toComments } from "./shown.ts";

/**
 * Returns a version of an account's track with the notes that it inherited, those made on it, and what is said of it. It uses
 * stored measurements, and has nothing analysed.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function getRound(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  { trackId, versionId }: { trackId: string; versionId: string },
): Round {
  const { db } = deps;
  const track = getOwnedTrack(db, accountId, trackId);
  const version = versionOf(db, track, versionId);
  const previous = queries.findVersionBefore(db, version);
  const notes = queries.listRoundNotes(db, version);
  const shown = notes.slice(0, MAX_ROUND_NOTES).map(({ id }) => id);
  const fresh = notes.filter(({ isFresh }) => isFresh).length;
  const answered = notes.filter(({ isAnswered }) => isAnswered).length;
  return {
    versionId,
    label: labelOf(version),
    previous: previous ? { id: previous.id, label: labelOf(previous) } : null,
    offsetMs: previous ? offsetBetween(db, versionId, previous.id) : null,
    gainDb: previous ? gainTo(db, versionId, previous.id) : null,
    inherited: notes.length - fresh,
    fresh,
    answered,
    open: notes.length - answered,
    reviews: listReviews(deps, accountId, { trackId, versionId }),
    notes: toComments(deps, accountId, selectByIds(db, versionId, shown), {
      versionId,
      lengthSec: lengthOf(db, track, version),
    }),
  };
}

/** Returns the gain that makes a version as loud as another, as a comparison of the two does. */
function gainTo(db: Db, versionId: string, against: string): number | null {
  const [one, other] = [queries.findLoudness(db, versionId), queries.findLoudness(db, against)];
  return one === null || other === null ? null : Math.round((other - one) * 1000) / 1000;
}
