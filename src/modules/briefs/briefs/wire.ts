import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { isActive } from "./lifecycle.ts";
import type { BriefRow } from "./queries.ts";
import type { Brief, BriefSubmission } from "./shapes.ts";
import type { SubmissionRow } from "./submission-queries.ts";

/** Returns a brief in the form used in lists; `at` decides whether it is active. */
export function toBrief(row: BriefRow, at: number): Brief {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    deadline: toIsoOrNull(row.deadline),
    active: isActive(row, at),
    priority: row.priority,
    tags: row.tags,
    contactEmail: row.contactEmail,
    createdAt: toIso(row.createdAt),
    submissionCount: row.submissionCount,
    requestCount: row.requestCount,
  };
}

/** Returns a submission as the brief's owner sees it. */
export function toBriefSubmission(row: SubmissionRow): BriefSubmission {
  const { trackId, trackName, artist } = row;
  return {
    id: row.id,
    type: row.type,
    message: row.message,
    link: row.link,
    createdAt: toIso(row.createdAt),
    track: trackId === null || trackName === null ? null : { id: trackId, name: trackName, artist },
    viaRequestEmail: row.requestEmail,
  };
}
