import { DAY_MS } from "../../../../kernel/time.ts";
import { type MailKind, STOPPABLE } from "../outbox.ts";
import { MAILS_WAIT_DAYS } from "../shapes.ts";

const kinds = (...names: readonly MailKind[]) => `m.kind IN (${names.map((name) => `'${name}'`).join(", ")})`;

const stoppedBy = (source: "link" | "owner") =>
  `${kinds(...STOPPABLE)} AND EXISTS (SELECT 1 FROM mail_stops s WHERE s.email = lower(m.to_email)
  AND (s.account_id IS NULL OR s.account_id = m.account_id) AND s.source = '${source}')`;

const ABOUT_REQUESTS = kinds("brief", "submitted");
const CLOSED = `m.kind = 'brief' AND EXISTS (SELECT 1 FROM brief_requests r JOIN briefs b ON b.id = r.brief_id
  WHERE r.id = m.request_id AND (b.status <> 'open' OR b.deadline <= $at))`;

/** What `endOf` in `sharing/shares/access/visit.ts` says at the door, but for links that open later, which mails may announce. */
const SHUT = `s.revoked_at IS NOT NULL OR s.turned IN ('off', 'not-yet') OR s.expires_at <= $at OR s.uses >= s.max_uses
  OR NOT EXISTS (SELECT 1 FROM tracks t WHERE t.id = s.entity_id AND t.deleted_at IS NULL
    UNION ALL SELECT 1 FROM playlists p WHERE p.id = s.entity_id AND p.deleted_at IS NULL)`;
/** Its link is gone when its track or playlist was deleted. */
const LINK_ENDED = `m.share_id IS NULL AND ${kinds("link", "pack", "reminder", "answered")}
  OR EXISTS (SELECT 1 FROM shares s WHERE s.id = m.share_id AND (${SHUT}))`;

/** The link of an invitation works until it is withdrawn, accepted, or replaced by one with a later end. */
const INVITES = `EXISTS (SELECT 1 FROM invitations i WHERE i.id = m.invitation_id AND i.accepted_at IS NULL
  AND i.withdrawn_at IS NULL AND i.expires_at = m.expires_at)`;

/** The link to a composer's details works until it is answered or withdrawn, or their entry is gone. */
const ASKS = `EXISTS (SELECT 1 FROM supply_requests q WHERE m.dedupe = 'supply ' || q.id AND q.answered_at IS NULL
  AND q.withdrawn_at IS NULL)`;

const BY_LEAVER = `m.made_by IS NOT NULL AND ${kinds("brief", "link", "pack", "reminder", "invitation", "supply")}
  AND NOT EXISTS (SELECT 1 FROM members e WHERE e.account_id = m.account_id AND e.person_id = m.made_by AND ifnull(e.ends_at > $at, 1))`;

/** Whoever it is for may have left, been blocked or switched digests off since it was written. */
const IS_WANTED = `EXISTS (SELECT 1 FROM people p JOIN members e ON e.person_id = p.id AND e.account_id = m.account_id
  AND ifnull(e.ends_at > $at, 1) JOIN mail_wishes w ON w.person_id = p.id AND w.account_id = m.account_id AND w.every <> 'off'
  WHERE p.email = m.to_email AND p.active = 1)`;

/**
 * Why a mail `m` that waits is cancelled when it is due, at `$at`: what is said of it, and when that holds, in SQL. The first that
 * holds counts.
 */
const REASONS: readonly (readonly [words: string, holds: string])[] = [
  ["It was too late", `m.expires_at <= $at OR m.due_at <= $at - ${MAILS_WAIT_DAYS * DAY_MS}`],
  ["Asked not to be written to", stoppedBy("link")],
  ["Marked: no mail arrives there", stoppedBy("owner")],
  ["No longer wanted", `m.kind = 'digest' AND NOT ${IS_WANTED}`],
  ["The brief was deleted", `m.request_id IS NULL AND ${ABOUT_REQUESTS}`],
  ["The brief is closed", CLOSED],
  ["The invitation no longer works", `m.kind = 'invitation' AND NOT ${INVITES}`],
  ["The request no longer works", `m.kind = 'supply' AND NOT ${ASKS}`],
  ["The link has ended", LINK_ENDED],
  ["Whoever wrote it has left the library", BY_LEAVER],
];

/** Names the first reason to cancel a mail `m`, as an expression: null, where there is none. */
export const REASON = `CASE ${REASONS.map(([words, holds]) => `WHEN ${holds} THEN '${words}'`).join("\n ")} END`;
