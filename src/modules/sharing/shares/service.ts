import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Member, mayDo, requireNeed, type Viewer } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { decodeCursor, encodeCursor, type Page } from "../../../kernel/paging.ts";
import { listShareActivity } from "../../library/analytics/service.ts";
import { endMails, followLink, mailLink, openLinkMail } from "./mails/link-mail.ts";
import { changingLink, createShare, entityOf, noteShared, requireTrack } from "./making.ts";
import { prepareLink } from "./marking.ts";
import * as queries from "./queries.ts";
import { readSettings, withRules } from "./settings.ts";
import type { ListSharesQuery, Share, ShareActivity, ShareActivityQuery, UpdateShare } from "./shapes.ts";
import { isLive, isOnOrComing, isTurnedOn, named, toActivity, toShares } from "./wire.ts";

export { answerFigures } from "./answers/figures.ts";
export { lengthOf, union } from "./counting/intervals.ts";
export { readParts } from "./counting/parts.ts";
export { privatePagePath, publicLinksOf, publicPageUrl } from "./links.ts";
export { curveOf, SLICES } from "./listening/curve.ts";
export { reachOf } from "./listening/reach.ts";
export { wordsOfNewLink } from "./mails/preview.ts";
export { listUnopened, remind, reminderOf } from "./mails/remind.ts";
export { createShare, makeLinks, readLinks, shareEntity } from "./making.ts";
export { publicTokenSql } from "./queries.ts";
export { transferShares } from "./transfer.ts";

type ShareDeps = Pick<Deps, "db" | "now" | "settings">;
type MailDeps = ShareDeps & Pick<Deps, "secrets" | "ffmpegPath">;

/**
 * Returns a page of an account's links, newest first, including revoked ones.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing, or for both a track and a playlist.
 */
export function listShares(deps: ShareDeps, ownerId: LibraryId, query: ListSharesQuery): Page<Share> {
  const { limit, cursor } = query;
  const isFiltered = query.trackId !== undefined || query.playlistId !== undefined;
  const entityId = isFiltered ? entityOf(query).entityId : undefined;
  const list = JSON.stringify(["shares", ownerId, entityId]);
  const place = cursor === undefined ? undefined : decodeCursor(cursor, list);
  const after = place && { createdAt: Number(place.key), id: place.id };
  const rows = queries.listShares(deps.db, ownerId, { entityId, limit: limit + 1, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const names = queries.selectEntityNames(
    deps.db,
    page.map((row) => row.entityId),
  );
  return {
    items: toShares(deps, page, names),
    paging: {
      limit,
      next_cursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id, list) : null,
    },
  };
}

/**
 * Returns one link of the account.
 *
 * @throws DomainError `share_not_found`.
 */
export function getShare(deps: ShareDeps, ownerId: LibraryId, id: string): Share {
  return named(deps, getShareRow(deps.db, ownerId, id));
}

/**
 * Changes the settings sent for a link; null removes a limit.
 *
 * @throws DomainError `share_not_found`, `invalid_transition` when it was revoked, `validation_failed` as in
 *   {@link shareEntity}.
 */
export async function updateShare(
  deps: MailDeps,
  actor: Member,
  id: string,
  input: UpdateShare,
): Promise<Share> {
  const ownerId = actor.accountId;
  const before = getChangeable(deps.db, ownerId, id); // before the costly hash
  if (input.showDetails && !before.showDetails) requireNeed(actor, "read:composers");
  requireTrack(before.entity, input.wholeFamily);
  const settings = await readSettings(deps, input, before);
  const mail = await openLinkMail(deps, actor, input.mail, {
    kind: "link",
    to: [{ ...before, ...settings }],
  });
  return transact(deps.db, (tx) => {
    const row = getChangeable(tx, ownerId, id);
    const change = { ...withRules(settings, row), ...turnedBy(row, input.shared) };
    const at = deps.now();
    const update = () => queries.updateShare(tx, ownerId, id, change);
    const updated = (Object.keys(change).length > 0 && changingLink(tx, row, at, update)) || row;
    if (row.turned === "not-yet" && input.shared) noteShared(tx, row, at);
    followLink(within(deps, tx), row, updated);
    prepareLink(within(deps, tx), updated);
    if (mail) mailLink(within(deps, tx), mail, updated);
    return named(deps, updated);
  });
}

/** Returns what turning a link on or off changes in it. A link that was never on is not turned off. */
function turnedBy({ turned }: queries.ShareRow, shared: boolean | undefined): { turned?: "on" | "off" } {
  if (shared === true) return turned === "not-yet" || turned === "off" ? { turned: "on" } : {};
  return shared === false && turned !== "not-yet" ? { turned: "off" } : {};
}

/**
 * Lets anyone with the link open a playlist of the account, or only those with a link of their own. Links that were turned off
 * come back with their addresses and settings. Call it in a transaction.
 */
export function setPublic(
  tx: Db,
  ownerId: LibraryId,
  playlistId: string,
  isPublic: boolean,
  at: number,
): void {
  const all = queries.listPublic(tx, ownerId, playlistId);
  if (!isPublic) {
    for (const row of all)
      if (isOnOrComing(row, at)) queries.updateShare(tx, ownerId, row.id, { turned: "off" });
    return;
  }
  if (all.some((row) => isLive(row, at))) return;
  const known = all.find((row) => !isTurnedOn(row) && isLive({ ...row, turned: "on" }, at));
  if (known) {
    queries.updateShare(tx, ownerId, known.id, { turned: "on" });
    if (known.turned === "not-yet") noteShared(tx, known, at);
    return;
  }
  noteShared(tx, createShare(tx, { ownerId, entity: "playlist", entityId: playlistId }, at), at);
}

/**
 * Ends a link permanently. Repeating it changes nothing.
 *
 * @throws DomainError `share_not_found`.
 */
export function revokeShare(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  id: string,
): { ok: true; id: string } {
  return transact(db, (tx) => {
    const row = getShareRow(tx, ownerId, id);
    if (row.revokedAt !== null) return { ok: true, id };
    const at = now();
    changingLink(tx, row, at, () => queries.updateShare(tx, ownerId, id, { revokedAt: at }));
    endMails({ db: tx, now }, id);
    return { ok: true, id };
  });
}

/**
 * Returns a page of the activity on and through a link of the account, newest first.
 *
 * @throws DomainError `share_not_found`, `validation_failed` for a cursor of another listing.
 */
export function listActivity(
  deps: Pick<Deps, "db">,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  id: string,
  query: ShareActivityQuery,
): Page<ShareActivity> {
  getShareRow(deps.db, ownerId, id);
  const { items, paging } = listShareActivity(deps, ownerId, id, {
    ...query,
    hasPlays: mayDo(viewer, "read:analytics"),
  });
  return { items: items.map(toActivity), paging };
}

/** A playlist's public link, as its details show it. */
export type PublicShareState = { token: string; isActive: boolean; createdAt: number };

/** Returns the newest public link to an entity, live or ended. */
export function findPublicShare(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  entityId: string,
): PublicShareState | undefined {
  const row = queries.findNewestPublic(db, ownerId, entityId);
  return row && { token: row.token, isActive: isLive(row, now()), createdAt: row.createdAt };
}

/** Returns one link of the account as stored. @throws DomainError `share_not_found`. */
export function getShareRow(db: Db, ownerId: LibraryId, id: string): queries.ShareRow {
  const row = queries.findShare(db, ownerId, id);
  if (row) return row;
  throw new DomainError("share_not_found", "There is no such link");
}

function getChangeable(db: Db, ownerId: LibraryId, id: string): queries.ShareRow {
  const row = getShareRow(db, ownerId, id);
  if (row.revokedAt === null) return row;
  throw new DomainError("invalid_transition", "A revoked link cannot be changed: create a new one");
}
