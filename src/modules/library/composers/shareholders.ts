import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { requireText } from "../../../kernel/text.ts";
import { toIso } from "../../../kernel/time.ts";
import { personIn } from "../../people/people/service.ts";
import { findEdit, getOwnedTrack, SPLITS_FIELD } from "../catalog/service.ts";
import { diffLinks, type LinkChanges } from "./link-changes.ts";
import * as queries from "./queries.ts";
import type { ReplaceShareholders, ShareholderInput, ShareholderTrack } from "./shapes.ts";

/** How far, in per cent, rounding may push a sum above 100. */
const ROUNDING = 1e-6;

/** Returns a track's credits in the order written. The caller must be allowed to see the track. */
export function shareholdersOfTrack({ db }: Pick<Deps, "db">, trackId: string): ShareholderTrack[] {
  return queries.selectCredits(db, trackId).map(toShareholderTrack);
}

/**
 * Returns {@link shareholdersOfTrack} for each track of a page, in the order given; tracks without credits are gaps.
 */
export function shareholdersOfTracks(
  { db }: Pick<Deps, "db">,
  trackIds: readonly string[],
): (ShareholderTrack[] | undefined)[] {
  const byPlace: (ShareholderTrack[] | undefined)[] = [];
  for (const credit of queries.selectCreditsOfPage(db, trackIds)) {
    const credits = byPlace[credit.place];
    if (credits) credits.push(toShareholderTrack(credit));
    else byPlace[credit.place] = [toShareholderTrack(credit)];
  }
  return byPlace;
}

/**
 * Replaces the links of the account's track and announces what changed.
 *
 * @throws DomainError `track_not_found`, and the errors of {@link writeShareholders}; `changed_since` when the track no longer has
 *   the links that the editor began with. Then `data` has those that it has, and who wrote them.
 */
export function replaceShareholders(
  deps: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  trackId: string,
  { shareholders, base }: ReplaceShareholders,
): void {
  const { db, now } = deps;
  checkShareholders(shareholders);
  transact(db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    if (base) requireBase(within(deps, tx), ownerId, trackId, base);
    writeShareholders(tx, { ownerId, trackId, shareholders }, now());
  });
}

function requireBase(
  deps: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  trackId: string,
  base: readonly ShareholderInput[],
): void {
  const { db } = deps;
  const textOf = ({ composerId, role, share }: queries.Link) => JSON.stringify([composerId, role, share]);
  const textsOf = (links: readonly queries.Link[]) => links.map(textOf).sort().join();
  const began = base.map(({ shareholderId, ...link }) => ({ composerId: shareholderId, ...link }));
  if (textsOf(began) === textsOf(queries.selectLinks(db, trackId))) return;
  const edit = findEdit(db, trackId, SPLITS_FIELD);
  throw new DomainError("changed_since", "The splits of this track were changed meanwhile", {
    data: {
      shareholders: shareholdersOfTrack({ db }, trackId),
      by: personIn(deps, ownerId, edit?.personId ?? null),
      at: edit ? toIso(edit.at) : null,
    },
  });
}

/**
 * Writes the links of the account's track inside the caller's transaction, and announces what changed.
 *
 * @throws DomainError `composer_not_found` when a composer is not the account's, and `validation_failed` as
 *   {@link checkShareholders} does.
 */
export function writeShareholders(
  tx: Db,
  write: { ownerId: LibraryId; trackId: string; shareholders: readonly ShareholderInput[] },
  at: number,
): void {
  const { ownerId, trackId } = write;
  const links = checkShareholders(write.shareholders);
  const before = queries.selectLinks(tx, trackId);
  const ids = new Set([...before, ...links].map(({ composerId }) => composerId));
  const publishers = queries.selectPublishers(tx, ownerId, [...ids]);
  const missing = links.map(({ composerId }) => composerId).filter((id) => !publishers.has(id));
  if (missing.length > 0)
    throw new DomainError("composer_not_found", "There is no such composer", {
      data: { missing: [...new Set(missing)] },
    });

  const since = new Map(before.map((link) => [`${link.composerId} ${link.role}`, link.createdAt]));
  const stored = links.map((link) => ({
    ...link,
    createdAt: since.get(`${link.composerId} ${link.role}`) ?? at,
  }));
  queries.replaceLinks(tx, trackId, stored);
  announceLinks(tx, { ownerId, trackId, publishers, changes: diffLinks(before, links) }, at);
}

/**
 * Checks what does not need the database, and trims roles.
 *
 * @throws DomainError `validation_failed` for a blank role, the same composer twice in one role, or shares that add up
 *   to more than 100 per cent.
 */
export function checkShareholders(shareholders: readonly ShareholderInput[]): queries.Link[] {
  const links = shareholders.map(({ shareholderId, share, role }, index) => ({
    composerId: shareholderId,
    share,
    role: requireText(`shareholders.${index}.role`, role),
  }));
  if (new Set(links.map(({ composerId, role }) => `${composerId} ${role}`)).size < links.length)
    throw invalidField("shareholders", "repeated", "must name a composer once in each role");
  const total = links.reduce((sum, { share }) => sum + share, 0);
  if (total > 100 + ROUNDING) throw invalidField("shareholders", "sum", "must add up to 100 at most");
  return links;
}

type Announcement = {
  ownerId: LibraryId;
  trackId: string;
  /** By composer. */
  publishers: ReadonlyMap<string, string | null>;
  changes: LinkChanges;
};

/** Announces every link that changed, and each composer's publisher once (decisions 6.1, 6.8). */
export function announceLinks(
  tx: Db,
  { ownerId, trackId, publishers, changes }: Announcement,
  at: number,
): void {
  for (const { change, link } of changes.links) {
    const { composerId: shareholderId, share, role } = link;
    emit(tx, ownerId, `shareholder.${change}`, { trackId, shareholderId, share, role }, at);
  }
  for (const [shareholderId, change] of changes.composers) {
    const publisher = publishers.get(shareholderId);
    if (publisher) emit(tx, ownerId, `publisher.${change}`, { trackId, shareholderId, publisher }, at);
  }
}

type TrackLink = queries.Link & { trackId: string };

/** Announces links that became what they were before. Call it inside the transaction that restored them. */
export function announceRelinked(
  tx: Db,
  ownerId: LibraryId,
  { before, after }: { before: readonly TrackLink[]; after: readonly TrackLink[] },
  at: number,
): void {
  const links = [...before, ...after];
  const publishers = queries.selectPublishers(
    tx,
    ownerId,
    links.map(({ composerId }) => composerId),
  );
  for (const trackId of new Set(links.map((link) => link.trackId))) {
    const isOfTrack = (link: TrackLink) => link.trackId === trackId;
    const changes = diffLinks(before.filter(isOfTrack), after.filter(isOfTrack));
    announceLinks(tx, { ownerId, trackId, publishers, changes }, at);
  }
}

/** True when the shares of each track add up to at most 100 per cent, and no composer of them was deleted. */
export function areSharesWhole(db: Db, trackIds: readonly string[]): boolean {
  return !queries.hasBrokenShares(db, trackIds, 100 + ROUNDING);
}

function toShareholderTrack({ share, role, id, fullName, pro }: queries.Credit): ShareholderTrack {
  return { share, role, shareholder: { id, fullName, pro } };
}
