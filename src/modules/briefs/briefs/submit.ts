import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { toIso } from "../../../kernel/time.ts";
import { getOwnedTrack } from "../../library/catalog/service.ts";
import { isActiveAccount } from "../../people/accounts/service.ts";
import { notify } from "../../people/notifications/service.ts";
import type { Receipt } from "./app-shapes.ts";
import { isActive } from "./lifecycle.ts";
import { findAnyBrief, findRequestByToken } from "./queries.ts";
import { insertSubmission } from "./submission-queries.ts";
import { submitterHash } from "./submitters.ts";

/** Who submits. */
export type Submitter = {
  /** Null for a visitor, whose files are already in the library of the brief's owner. */
  accountId: LibraryId | null;
  /** An e-mail address, stored only as a keyed hash; null when the submitter gave no address. */
  identity: string | null;
  /** The visitor's name and address, which only the brief's owner sees. */
  card?: { name: string | null; email: string | null };
  /** Shared by items that are sent together; created here when left out. */
  batchId?: string;
  /** Last part of a personal submission link. */
  requestToken?: string;
};

/** One submitted item. */
export type NewItem = ({ trackId: string } | { link: string }) & { message: string | null };

/** The same limit as for files in an upload. */
const MAX_ITEMS = 25;

type SubmitDeps = Pick<Deps, "db" | "now" | "secrets">;

/**
 * Sends tracks and links to a brief as one batch, all or none, and notifies the brief's owner. The batch is paid or
 * free as the brief is at this moment.
 *
 * @param items 1 to 25. Tracks must belong to the submitter or, for a visitor, to the brief's owner.
 * @throws DomainError `brief_not_found`, `track_not_found`, `brief_not_open`; `invalid_link` when the request token
 *   belongs to another brief; `validation_failed` when a link is not an http address.
 */
export function submitToBrief(
  deps: SubmitDeps,
  briefId: string,
  submitter: Submitter,
  items: readonly NewItem[],
): Receipt[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw invalidField("items", "count", `must be 1 to ${MAX_ITEMS}`);
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const brief = getBriefFor(tx, briefId, submitter);
    const contents = items.map((item) => readItem(tx, submitter.accountId ?? brief.ownerId, item));
    const request = findRequest(tx, briefId, submitter.requestToken);
    if (!isActive(brief, at) || !isActiveAccount({ db: tx }, brief.ownerId))
      throw new DomainError("brief_not_open", "This brief is not open for submissions now");

    const shared = {
      briefId,
      batchId: submitter.batchId ?? newId("bat"),
      requestId: request?.id ?? null,
      submitterAccountId: submitter.accountId,
      submitterHash: submitterHash(deps.secrets, submitter.identity || request?.email || null),
      ...cardColumns(submitter),
      kind: brief.isPaid ? ("paid" as const) : ("free" as const),
      createdAt: at,
    };
    const receipts = contents.map((content) => {
      const id = newId("sub");
      const { track, ...rest } = content;
      insertSubmission(tx, { id, ...shared, ...rest, trackId: track?.id ?? null });
      const { kind } = shared;
      return { id, briefId, briefName: brief.name, ...content, kind, createdAt: toIso(at) };
    });
    if (submitter.accountId !== brief.ownerId) tellOwner(tx, brief, items.length, at);
    return receipts;
  });
}

/** Returns a brief, unless an account has only the id of another one's: it needs a page for anyone, or a link. */
function getBriefFor(tx: Db, briefId: string, { accountId, requestToken }: Submitter) {
  const brief = findAnyBrief(tx, briefId);
  const isInvited = accountId === null || accountId === brief?.ownerId || requestToken !== undefined;
  if (brief && (isInvited || brief.publicPage)) return brief;
  throw new DomainError("brief_not_found", "There is no such brief");
}

const cardColumns = ({ card }: Submitter) => ({
  submitterName: card?.name ?? null,
  submitterEmail: card?.email ?? null,
});

type Content = Pick<Receipt, "type" | "track" | "link" | "message">;

function readItem(tx: Db, libraryId: string, item: NewItem): Content {
  const message = item.message?.trim() || null;
  if ("link" in item) return { type: "link", track: null, link: readLink(item.link), message };
  const { id, name, artist } = getOwnedTrack(tx, libraryId, item.trackId);
  return { type: "track", track: { id, name, artist }, link: null, message };
}

/** Accepts only what a page may show as a link: no script, user name or white space. */
function readLink(text: string): string {
  const link = text.trim();
  const url = /^https?:\/\/\S+$/i.test(link) ? URL.parse(link) : null;
  if (url && url.username === "" && url.password === "") return link;
  throw invalidField("link", "invalid_url", "must be an http or https address without a user name");
}

function findRequest(tx: Db, briefId: string, token: string | undefined) {
  if (token === undefined) return undefined;
  const request = findRequestByToken(tx, briefId, token);
  if (!request) throw new DomainError("invalid_link", "This submission link is not valid: ask for a new one");
  return request;
}

function tellOwner(
  tx: Db,
  brief: { id: string; ownerId: LibraryId; name: string },
  count: number,
  at: number,
): void {
  const title = `${count === 1 ? "New submission" : `${count} new submissions`} to ${brief.name}`;
  notify(
    tx,
    { accountId: brief.ownerId, kind: "brief.submission", title, entityKey: "brief", entityId: brief.id },
    at,
  );
}
