import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { diffLinks } from "./link-changes.ts";
import * as queries from "./queries.ts";
import type { ShareholderInput } from "./shapes.ts";
import { announceLinks, writeShareholders } from "./shareholders.ts";

type Links = readonly queries.StoredLink[];

/**
 * Checks that links are to composers of the account.
 *
 * @throws DomainError `composer_not_found`.
 */
export function requireComposers(db: Db, ownerId: LibraryId, links: readonly queries.Link[]): void {
  const ids = [...new Set(links.map(({ composerId }) => composerId))];
  const known = queries.selectPublishers(db, ownerId, ids);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0)
    throw new DomainError("composer_not_found", "There is no such composer", { data: { missing } });
}

/** Links before and after a change, for {@link undoShareholders}. */
export type ReplacedLinks = { before: Links; after: Links };

/**
 * Writes the links of the account's track, unless it has just these. Call it inside a transaction. Returns what was
 * replaced; undefined: nothing is different.
 *
 * @throws DomainError as {@link writeShareholders}.
 */
export function changeShareholders(
  tx: Db,
  write: { ownerId: LibraryId; trackId: string; shareholders: readonly ShareholderInput[] },
  at: number,
): ReplacedLinks | undefined {
  const before = queries.selectLinks(tx, write.trackId);
  const asked = write.shareholders.map(({ shareholderId, share, role }) => ({
    composerId: shareholderId,
    share,
    role: role.trim(),
  }));
  if (queries.isSameLinks(before, asked)) return undefined;
  writeShareholders(tx, write, at);
  return { before, after: queries.selectLinks(tx, write.trackId) };
}

/**
 * Brings back the links of a track, unless they were changed since; composers who are gone stay away. Call it inside a
 * transaction.
 */
export function undoShareholders(
  tx: Db,
  { ownerId, trackId }: { ownerId: LibraryId; trackId: string },
  { before, after }: ReplacedLinks,
  at: number,
): void {
  const current = queries.selectLinks(tx, trackId);
  if (!queries.isSameLinks(current, after)) return;
  const ids = [...new Set([...before, ...after].map(({ composerId }) => composerId))];
  const publishers = queries.selectPublishers(tx, ownerId, ids);
  const kept = before.filter(({ composerId }) => publishers.has(composerId));
  queries.replaceLinks(tx, trackId, kept);
  announceLinks(tx, { ownerId, trackId, publishers, changes: diffLinks(current, kept) }, at);
}
