import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, TriageState } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { DAY_MS, MINUTE_MS, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { artworkUrl } from "../../library/artwork/service.ts";
import { findOwnedTrack, setInInbox, titleOf } from "../../library/catalog/service.ts";
import { playbackUrl } from "../../library/files/service.ts";
import { genresAndMoodsOf } from "../../library/tracks/service.ts";
import { showTrack } from "../../library/versions/service.ts";
import { getBrief, updateTriage } from "../briefs/service.ts";
import * as queries from "./queries.ts";
import {
  type InboxCounts,
  type InboxItem,
  type InboxQuery,
  PASSED_LISTED_DAYS,
  type TriageSubmission,
} from "./shapes.ts";

type InboxDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** Addresses stay the same for so long: a page that has not changed is answered with a 304. */
const ADDRESS_STEP_MS = 10 * MINUTE_MS;

/** An inbox: of one brief, or of every open one. @throws DomainError `brief_not_found`. */
export function inboxOf(
  deps: Pick<Deps, "db" | "now" | "settings">,
  ownerId: LibraryId,
  briefId: string | undefined,
): queries.InboxFilter {
  if (briefId !== undefined) getBrief(deps, ownerId, briefId);
  return { ownerId, briefId, passedSince: deps.now() - PASSED_LISTED_DAYS * DAY_MS };
}

/**
 * Returns a page of submissions, newest first, with the decisions about them.
 *
 * @throws DomainError `brief_not_found`, `validation_failed` for a cursor of another list.
 */
export function listInbox(
  deps: InboxDeps,
  ownerId: LibraryId,
  { briefId, state, ...page }: InboxQuery,
): Page<InboxItem> {
  const filter = inboxOf(deps, ownerId, briefId);
  const select = (after: Place, limit: number) => queries.listInbox(deps.db, filter, state, after, limit);
  const list = JSON.stringify(["inbox", ownerId, briefId, state]);
  const { items, paging } = cutPage(page, list, select, (row) => row.createdAt);
  return { items: toItems(deps, items), paging };
}

/** Returns how many submissions of each state an inbox has. @throws DomainError `brief_not_found`. */
export function countInbox(
  deps: Pick<Deps, "db" | "now" | "settings">,
  ownerId: LibraryId,
  briefId: string | undefined,
): InboxCounts {
  const counts = { new: 0, shortlisted: 0, passed: 0, kept: 0 };
  for (const { state, count } of queries.countInbox(deps.db, inboxOf(deps, ownerId, briefId)))
    counts[state] = count;
  return counts;
}

/**
 * Decides about a submission, or notes something about it. Keeping one takes its track into the library and makes it visible;
 * deciding otherwise brings it back to the Inbox, and hides it when it was the keeping that showed it.
 *
 * @throws DomainError `not_found`.
 */
export function triage(
  deps: InboxDeps,
  ownerId: LibraryId,
  id: string,
  { state, note }: TriageSubmission,
): InboxItem {
  return transact(deps.db, (tx) => {
    const row = getSubmission(tx, ownerId, id);
    const at = deps.now();
    if (note !== undefined) updateTriage(tx, id, { note: note?.trim() || null });
    if (state !== undefined && state !== row.state) decide(tx, ownerId, row, { state, at });
    const [item] = toItems(within(deps, tx), [getSubmission(tx, ownerId, id)]);
    if (!item) throw new RangeError("A submission is an item");
    return item;
  });
}

function decide(
  tx: Db,
  ownerId: LibraryId,
  row: queries.InboxRow,
  { state, at }: { state: TriageState; at: number },
): void {
  const track = row.trackId === null ? undefined : findOwnedTrack(tx, ownerId, row.trackId);
  const isShown = track !== undefined && state === "kept" && showTrack(tx, track, true, at);
  if (track && row.shownByKeep === 1) showTrack(tx, track, false, at);
  if (track && row.wasSent === 1)
    setInInbox(tx, track.id, state !== "kept" && !queries.isKept(tx, track.id, row.id));
  updateTriage(tx, row.id, { state, decidedAt: state === "new" ? null : at, shownByKeep: isShown });
}

function getSubmission(db: Db, ownerId: LibraryId, id: string): queries.InboxRow {
  const row = queries.findSubmission(db, ownerId, id);
  if (row) return row;
  throw new DomainError("not_found", "There is no such submission");
}

function toItems(deps: InboxDeps, rows: readonly queries.InboxRow[]): InboxItem[] {
  const own = rows.flatMap(({ trackId, isOwn }) => (trackId !== null && isOwn === 1 ? [trackId] : []));
  const tags = new Map(genresAndMoodsOf(deps.db, own).map((each, place) => [own[place], each]));
  const laterStep = (Math.floor(deps.now() / ADDRESS_STEP_MS) + 1) * ADDRESS_STEP_MS;
  const signing = { ...deps, now: () => laterStep };
  return rows.map((row) => ({
    id: row.id,
    briefId: row.briefId,
    briefName: row.briefName,
    senderName: row.submitterName ?? row.askedName,
    senderEmail: row.submitterEmail ?? row.askedEmail,
    wasAsked: row.requestId !== null,
    message: row.message,
    link: row.link,
    track: row.trackId === null ? null : toTrack(signing, row, row.trackId, tags.get(row.trackId)),
    state: row.state,
    note: row.note,
    decidedAt: toIsoOrNull(row.decidedAt),
    createdAt: toIso(row.createdAt),
  }));
}

function toTrack(
  deps: InboxDeps,
  row: queries.InboxRow,
  id: string,
  tags: { genres: string[]; moods: string[] } = { genres: [], moods: [] },
): InboxItem["track"] {
  const { versionId, versionName, mediaType, sha256 } = row;
  return {
    id,
    title: titleOf(row),
    artist: row.artist,
    isOwn: row.isOwn === 1,
    visible: row.visible === 1,
    cover: row.cover === null ? null : artworkUrl(deps.settings, row.cover),
    activeVersionId: versionId,
    playbackUrl: playbackUrl(deps, { id: versionId, name: versionName, mediaType, sha256 }),
    status: row.status,
    durationSec: row.durationSec,
    bpm: row.bpm,
    key: row.key,
    integratedLufs: row.integratedLufs,
    truePeakDbtp: row.truePeakDbtp,
    ...tags,
  };
}
