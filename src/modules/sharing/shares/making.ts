import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Member, requireNeed } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { recordActivity, userActor } from "../../library/analytics/service.ts";
import { type LinkMail, mailLink, openLinkMail } from "./mails/link-mail.ts";
import { prepareLink } from "./marking.ts";
import * as queries from "./queries.ts";
import { readSettings, withRules } from "./settings.ts";
import type { CreateShare, Share, SharedEntity, ShareMail } from "./shapes.ts";
import { named } from "./wire.ts";

type MailDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "ffmpegPath">;
export type Target = { ownerId: LibraryId; entity: SharedEntity; entityId: string };

/** A link before it has an id; missing settings mean no limit. */
export type NewShare = Target &
  Partial<
    Pick<
      queries.ShareRow,
      | "passwordHash"
      | "expiresAt"
      | "notBefore"
      | "maxUses"
      | "allowDownload"
      | "allowComments"
      | "allowReview"
      | "askAnswer"
      | "showDetails"
      | "wholeFamily"
      | "showLyrics"
      | "isMarked"
      | "noteParts"
      | "recipient"
      | "recipientEmail"
      | "turned"
    >
  >;

/**
 * Creates a link with a new token. Announces the track if its public link changes. Call it in the transaction that
 * has checked that the account owns the track or playlist.
 */
export function createShare(tx: Db, share: NewShare, at: number): queries.ShareRow {
  return changingLink(tx, share, at, () =>
    queries.insertShare(tx, { ...share, id: newId("lnk"), token: newToken(16), createdAt: at }),
  );
}

/** Settings of a new link, as its columns have them. */
type LinkSettings = Awaited<ReturnType<typeof readSettings>>;

/**
 * Shares a track or a playlist of the account. The link that a playlist was made with is turned on when it has not been, and
 * is for anyone; otherwise a new link is made.
 *
 * @throws DomainError `track_not_found`, `playlist_not_found`; `validation_failed` for both or neither, for a
 *   time that is invalid or past, for an end before it opens, or when a public link is to ask something.
 */
export async function shareEntity(deps: MailDeps, actor: Member, input: CreateShare): Promise<Share> {
  const target = { ownerId: actor.accountId, ...entityOf(input) };
  if (input.showDetails) requireNeed(actor, "read:composers");
  checkOwned(deps.db, target); // before the costly hash
  const links = await readLinks(deps, actor, [input], { mail: input.mail, kind: "link" });
  return transact(deps.db, (tx) => {
    checkOwned(tx, target);
    const [share] = makeLinks(within(deps, tx), target, links);
    if (!share) throw new RangeError("One link was read");
    return share;
  });
}

/** What links to a thing are to be, and the mails that bring them. */
type NewLinks = { links: LinkSettings[]; mail: LinkMail | undefined };

/**
 * Reads what links are to be, each for somebody, before they are made: all of them or none.
 *
 * @throws DomainError As {@link shareEntity}, and as `openLinkMail`.
 */
export async function readLinks(
  deps: MailDeps,
  actor: Member,
  inputs: readonly CreateShare[],
  { mail, kind }: { mail: ShareMail | undefined; kind: LinkMail["kind"] },
): Promise<NewLinks> {
  const links: LinkSettings[] = [];
  for (const input of inputs) {
    if (input.showDetails) requireNeed(actor, "read:composers");
    links.push(withRules(await readSettings(deps, input)));
  }
  const emails = links.flatMap(({ recipientEmail }) => recipientEmail ?? []);
  if (mail && new Set(emails).size < emails.length)
    throw invalidField("recipientEmails", "duplicate", "must not have one address twice");
  return { links, mail: await openLinkMail(deps, actor, mail, { kind, to: links }) };
}

/**
 * Makes links that {@link readLinks} has read, and writes their mails. Call it in the transaction that has checked that the account
 * owns what they lead to.
 *
 * @throws DomainError `mail_limit`; `validation_failed` for the set of a playlist.
 */
export function makeLinks(deps: MailDeps, target: Target, { links, mail }: NewLinks): Share[] {
  for (const { wholeFamily } of links) requireTrack(target.entity, wholeFamily);
  const { db: tx } = deps;
  const at = deps.now();
  return links.map((settings) => {
    const waiting = settings.recipient ? undefined : queries.findWaiting(tx, target.ownerId, target.entityId);
    const row = waiting ? turnOn(tx, waiting, settings, at) : createShare(tx, { ...target, ...settings }, at);
    noteShared(tx, row, at);
    prepareLink(deps, row);
    if (mail) mailLink(deps, mail, row);
    return named(deps, row);
  });
}

function turnOn(
  tx: Db,
  row: queries.ShareRow,
  settings: Partial<queries.NewShareRow>,
  at: number,
): queries.ShareRow {
  const change = { ...settings, turned: "on" as const };
  return changingLink(tx, row, at, () => queries.updateShare(tx, row.ownerId, row.id, change)) ?? row;
}

/** Records that something was shared. */
export function noteShared(tx: Db, { id, ownerId, entity, entityId }: queries.ShareRow, at: number): void {
  const actor = userActor(tx, ownerId);
  recordActivity(tx, { ownerId, entity, entityId, metric: "shares", actor, shareId: id }, at);
}

/** Runs a change of a link, and announces the track if its public link is different afterwards (decision 6.9). */
export function changingLink<Result>(
  tx: Db,
  { ownerId, entity, entityId }: Target,
  at: number,
  change: () => Result,
): Result {
  if (entity !== "track") return change();
  const before = queries.selectPublicToken(tx, entityId, at);
  const result = change();
  const name = queries.findEntityName(tx, ownerId, entity, entityId);
  if (name !== undefined && queries.selectPublicToken(tx, entityId, at) !== before)
    emit(tx, ownerId, "track.updated", { trackId: entityId, name, changed: ["link"] }, at);
  return result;
}

/** @throws DomainError `validation_failed` when a playlist is to bring its set along: only tracks have one. */
export function requireTrack(entity: SharedEntity, wholeFamily: boolean | undefined): void {
  if (wholeFamily && entity !== "track")
    throw invalidField("wholeFamily", "not_a_track", "is for links to a track: a playlist has no set");
}

/** Returns the one thing that is named. @throws DomainError `validation_failed` for both or neither. */
export function entityOf({ trackId, playlistId }: Pick<CreateShare, "trackId" | "playlistId">) {
  if (trackId !== undefined && playlistId === undefined)
    return { entity: "track", entityId: trackId } as const;
  if (playlistId !== undefined && trackId === undefined)
    return { entity: "playlist", entityId: playlistId } as const;
  throw invalidField("trackId", "one_of", "must be sent, or playlistId, and not both");
}

/** Returns the name of what an account has. @throws DomainError `track_not_found`, `playlist_not_found`. */
export function checkOwned(db: Db, { ownerId, entity, entityId }: Target): string {
  const name = queries.findEntityName(db, ownerId, entity, entityId);
  if (name !== undefined) return name;
  throw new DomainError(`${entity}_not_found`, `There is no such ${entity}`);
}
