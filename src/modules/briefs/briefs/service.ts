import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { findOwnedTrack } from "../../library/catalog/service.ts";
import * as queries from "./queries.ts";
import { type Brief, type BriefSubmissions, MAX_LISTED, type TrackSubmissions } from "./shapes.ts";
import { listSubmissions, listSubmissionsOfTrack } from "./submission-queries.ts";
import { toBrief, toBriefSubmission } from "./wire.ts";

export { deadlineWords } from "./asking-views.ts";
export { type Batch, type Door, findBatch, findDoor } from "./door.ts";
export { arrangeBrief, getBrief } from "./manage.ts";
export { askingLetterOf } from "./requests.ts";
export { forgetSender, updateTriage } from "./submission-queries.ts";
export { type NewItem, submitToBrief } from "./submit.ts";
export { rehashSubmitters } from "./submitters.ts";
export { transferBriefs } from "./transfer.ts";

/** A place before every row of a list ordered newest first. */
const BEGINNING = { key: Number.MAX_SAFE_INTEGER, id: "" };

/** Returns an account's newest briefs, newest first. */
export function listBriefs({ db, now }: Pick<Deps, "db" | "now">, ownerId: LibraryId): Brief[] {
  const at = now();
  return queries.listBriefs(db, ownerId, BEGINNING, MAX_LISTED).map((row) => toBrief(row, at));
}

/** Returns all submissions to an account's brief, newest first. */
export function listBriefSubmissions(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  briefId: string,
): BriefSubmissions {
  const brief = queries.findOwnBrief(db, ownerId, briefId);
  if (!brief) return { ok: false, error: "BRIEF_NOT_FOUND" };
  const { id, name, status } = brief;
  const rows = listSubmissions(db, briefId, BEGINNING, Number.MAX_SAFE_INTEGER);
  return {
    brief: { id, name, status, deadline: toIsoOrNull(brief.deadline) },
    submissions: rows.map(toBriefSubmission),
  };
}

/** Returns the briefs that an account's track was sent to, newest first, including those of other accounts. */
export function listTrackSubmissions(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  trackId: string,
): TrackSubmissions {
  const track = findOwnedTrack(db, ownerId, trackId);
  if (!track) return { ok: false, error: "TRACK_NOT_FOUND" };
  const submissions = listSubmissionsOfTrack(db, trackId).map(({ requestEmail, ...row }) => ({
    ...row,
    briefDeadline: toIsoOrNull(row.briefDeadline),
    createdAt: toIso(row.createdAt),
    viaRequestEmail: requestEmail,
  }));
  return { trackId, trackName: track.name, submissions };
}
