import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { newId } from "../../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { getOwnedTrack, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import { forgetReviewed, tellReviewed } from "../../people/notifications/service.ts";
import { membersAmong } from "../../people/people/service.ts";
import { labelOf, versionOf } from "./places.ts";
import * as queries from "./review-queries.ts";
import type { DeletedReview, Review, ReviewsQuery, WriteReview } from "./review-shapes.ts";
import { MAX_COMMENT } from "./shapes.ts";
import { authorOf } from "./write.ts";

type ReviewDeps = Pick<Deps, "db" | "now">;
/** A version of a track. */
type Of = { trackId: string; versionId: string };

/**
 * Approves a version of an account's track, or asks for changes to it, in the name of the person. It replaces what the person said
 * of the version before; saying the same again changes nothing.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function reviewVersion(
  deps: ReviewDeps,
  actor: OwnerActor | SessionActor,
  of: Of,
  said: WriteReview,
): Review {
  const { accountId } = actor;
  return transact(deps.db, (tx) => {
    const reviewed = reviewedOf(tx, accountId, of);
    const { id: personId, name } = authorOf(tx, actor);
    return say(within(deps, tx), reviewed, { by: { personId }, name, said });
  });
}

/**
 * Takes back what the person said of a version. Where there is nothing to take back, nothing changes.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function takeBackReview(
  { db, now }: ReviewDeps,
  actor: OwnerActor | SessionActor,
  of: Of,
): DeletedReview {
  const { accountId } = actor;
  return transact(db, (tx) => {
    reviewedOf(tx, accountId, of);
    const row = queries.findReview(tx, of.versionId, { personId: authorOf(tx, actor).id });
    if (row) {
      queries.deleteReview(tx, row.id);
      emit(tx, accountId, "review.changed", { ...of, state: "none" }, now());
      forgetReviewed(tx, row);
    }
    return { ok: true as const, ...of };
  });
}

/** What the recipient of a link says of a version. */
type LinkReview = Of & {
  share: { id: string; ownerId: LibraryId; recipient: string | null; allowReview: boolean };
  state: WriteReview["state"];
  text?: string | null | undefined;
};

/**
 * Writes what is said of a version through a link. It is said by the link's recipient, whoever pressed. The caller must have checked
 * that the link is open, and opens the track.
 *
 * @throws DomainError `not_asked` when the link does not ask for approval; `track_not_found`, `version_not_found`;
 *   `validation_failed` for a long text.
 */
export function reviewByLink(deps: ReviewDeps, { share, state, text, ...of }: LinkReview): Review {
  if (!share.allowReview || share.recipient === null)
    throw new DomainError("not_asked", "This link does not ask for approval");
  const { id: shareId, recipient: name } = share;
  return transact(deps.db, (tx) => {
    const reviewed = reviewedOf(tx, share.ownerId, of);
    return say(within(deps, tx), reviewed, { by: { shareId }, name, said: { state, text: text ?? null } });
  });
}

/**
 * Returns a page of what people and links say of the versions of an account's track, the newest first.
 *
 * @throws DomainError `track_not_found`, `validation_failed` for a cursor of another track.
 */
export function listTrackReviews(
  deps: ReviewDeps,
  accountId: LibraryId,
  trackId: string,
  query: ReviewsQuery,
): Page<Review> {
  getOwnedTrack(deps.db, accountId, trackId);
  const select = (after: Place, limit: number) => queries.listTrackReviews(deps.db, trackId, after, limit);
  const { items, paging } = cutPage(query, `reviews ${trackId}`, select, (row) => row.at);
  return { items: toReviews(deps, accountId, items), paging };
}

/** Returns what people and links say of a version, the newest first. */
export function listReviews(deps: ReviewDeps, accountId: LibraryId, { trackId, versionId }: Of): Review[] {
  return toReviews(deps, accountId, queries.listReviews(deps.db, trackId, versionId));
}

type Reviewed = { track: OwnedTrack; version: VersionRow };

function reviewedOf(tx: Db, accountId: LibraryId, { trackId, versionId }: Of): Reviewed {
  const track = getOwnedTrack(tx, accountId, trackId);
  return { track, version: versionOf(tx, track, versionId) };
}

type Said = { by: queries.Reviewer; name: string; said: WriteReview };

/** Call it inside a transaction, which `deps` has. */
function say(deps: ReviewDeps, reviewed: Reviewed, { by, name, said }: Said): Review {
  const { track, version } = reviewed;
  const text = readText(said.text);
  const before = queries.findReview(deps.db, version.id, by);
  if (before?.state === said.state && before.text === text) return toReview(deps, track.ownerId, before);
  const row = queries.putReview(deps.db, {
    id: before?.id ?? newId("rev"),
    trackId: track.id,
    versionId: version.id,
    personId: "personId" in by ? by.personId : null,
    shareId: "shareId" in by ? by.shareId : null,
    name,
    state: said.state,
    text,
    at: deps.now(),
  });
  announce(deps.db, reviewed, row);
  return toReview(deps, track.ownerId, row);
}

/** Leaves out the name of a link's recipient, which may be an e-mail address. */
function announce(tx: Db, { track, version }: Reviewed, row: queries.ReviewRow): void {
  const { id: reviewId, state, personId, at } = row;
  emit(tx, track.ownerId, "review.changed", { trackId: track.id, versionId: version.id, state }, at);
  const what = `${labelOf(version)} of ${track.name}`;
  const title = personId === null ? BY_LINK[state](what) : BY_MEMBER[state](what);
  const about = { accountId: track.ownerId, trackId: track.id };
  tellReviewed(tx, { ...about, reviewId, kind: `version.${state}`, title, madeBy: personId }, at);
}

const BY_LINK = {
  approved: (what: string) => `The recipient of a link approved ${what}`,
  changes: (what: string) => `The recipient of a link asks for changes to ${what}`,
};
const BY_MEMBER = {
  approved: (what: string) => `${what} was approved`,
  changes: (what: string) => `Changes to ${what} were asked for`,
};

function readText(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed.length > MAX_COMMENT)
    throw invalidField("text", "max_length", `must be at most ${MAX_COMMENT} characters`);
  return trimmed === "" ? null : trimmed;
}

function toReviews(deps: ReviewDeps, accountId: LibraryId, rows: readonly queries.ReviewRow[]): Review[] {
  const people = rows.map(({ personId }) => personId);
  const members = membersAmong(deps, accountId, people);
  return rows.map((row) => shown(row, members));
}

const toReview = (deps: ReviewDeps, accountId: LibraryId, row: queries.ReviewRow): Review =>
  shown(row, membersAmong(deps, accountId, [row.personId]));

/** @param members By id. Whoever is not among them any more is called as they were then. */
function shown(row: queries.ReviewRow, members: ReturnType<typeof membersAmong>): Review {
  return {
    id: row.id,
    versionId: row.versionId,
    state: row.state,
    text: row.text,
    by: { id: row.personId, name: members.get(row.personId ?? "")?.name ?? row.name },
    shareId: row.shareId,
    at: toIso(row.at),
  };
}
