import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import { getOwnedTrack, listEdits, SPLITS_FIELD } from "../catalog/service.ts";
import { RIGHTS_FIELDS } from "../rights/service.ts";
import type { TrackEdit } from "./edits-shapes.ts";

const OF_SPLITS: ReadonlySet<string> = new Set([SPLITS_FIELD, ...RIGHTS_FIELDS]);

/**
 * Returns the last edit of each field of a track, newest first. Those of the splits and the rights are for those who see splits.
 *
 * @throws DomainError `track_not_found`.
 */
export function listTrackEdits(
  deps: Pick<Deps, "db" | "now">,
  actor: Pick<SessionActor, "accountId" | "allowed">,
  trackId: string,
): TrackEdit[] {
  getOwnedTrack(deps.db, actor.accountId, trackId);
  const seesSplits = mayDo(actor, "read:composers");
  const edits = listEdits(deps.db, trackId).filter(({ field }) => seesSplits || !OF_SPLITS.has(field));
  const by = peopleIn(
    deps,
    actor.accountId,
    edits.map(({ personId }) => personId),
  );
  return edits.map(({ field, personId, at }) => ({ field, by: by(personId), at: toIso(at) }));
}
