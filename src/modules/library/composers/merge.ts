import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { diffLinks } from "./link-changes.ts";
import * as queries from "./queries.ts";
import { announceLinks } from "./shareholders.ts";

/** What two entries of one composer said, as far as they differ: the second of each pair was let go. */
export type Differences = Record<string, [kept: string, dropped: string]>;

const DETAILS = ["fullName", "artistName", "publisher", "publisherIpi", "pro", "ipi", "isni"] as const;
const FILLED = [...DETAILS, "email"] as const;

/** Returns the details that one entry lacks and the other has, and those of which each has its own. */
export function compareDetails(
  kept: queries.ComposerRow,
  gone: queries.ComposerRow,
): { missing: Partial<queries.ComposerRow>; differences: Differences } {
  const missing: Partial<queries.ComposerRow> = {};
  const differences: Differences = {};
  for (const detail of FILLED) {
    const [dropped, stays] = [gone[detail], kept[detail]];
    if (dropped === null || dropped === stays) continue;
    if (stays === null) missing[detail] = dropped;
    else differences[detail] = [stays, dropped];
  }
  return { missing, differences };
}

/** The tracks that a merge changes. */
export const tracksOfComposer = (db: Db, id: string): string[] => [
  ...new Set(queries.selectLinksOfComposer(db, id).map(({ trackId }) => trackId)),
];

/**
 * Makes two composers of an account one: it keeps its details, gets those that it lacks, and all shares. Where both had a
 * share of a track in one role, the shares are added. Call it inside a transaction.
 *
 * @throws DomainError `composer_not_found`; `validation_failed` for one composer twice.
 */
export function mergeComposers(
  tx: Db,
  { ownerId, keptId, goneId }: { ownerId: LibraryId; keptId: string; goneId: string },
  at: number,
): Differences {
  if (keptId === goneId) throw invalidField("composerId", "same", "must be another composer");
  const [kept, gone] = [keptId, goneId].map((id) => queries.findComposer(tx, ownerId, id));
  if (!kept || !gone) throw new DomainError("composer_not_found", "There is no such composer");
  const { missing, differences } = compareDetails(kept, gone);
  for (const trackId of tracksOfComposer(tx, goneId)) giveLinks(tx, { ownerId, trackId, kept, gone }, at);
  queries.giveSupplyRequests(tx, goneId, keptId);
  queries.buryComposer(tx, goneId, at);
  const changed = Object.keys(missing);
  if (changed.length > 0) queries.updateComposer(tx, keptId, missing);
  emit(tx, ownerId, "composer.updated", { composerId: keptId, changed }, at);
  return differences;
}

type Given = { ownerId: LibraryId; trackId: string; kept: queries.ComposerRow; gone: queries.ComposerRow };

function giveLinks(tx: Db, { ownerId, trackId, kept, gone }: Given, at: number): void {
  const before = queries.selectLinks(tx, trackId);
  const after: queries.StoredLink[] = [];
  for (const link of before) {
    const composerId = link.composerId === gone.id ? kept.id : link.composerId;
    const same = after.find((each) => each.composerId === composerId && each.role === link.role);
    if (same) same.share = Math.min(100, same.share + link.share);
    else after.push({ ...link, composerId });
  }
  queries.replaceLinks(tx, trackId, after);
  const publishers = new Map([kept, gone].map(({ id, publisher }) => [id, publisher]));
  announceLinks(tx, { ownerId, trackId, publishers, changes: diffLinks(before, after) }, at);
}
