import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { newId } from "../../../kernel/ids.ts";
import type { Page } from "../../../kernel/paging.ts";
import { requireText } from "../../../kernel/text.ts";
import { toIso } from "../../../kernel/time.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import { diffLinks, type LinkChange } from "./link-changes.ts";
import * as queries from "./queries.ts";
import {
  COMPOSERS_PER_PAGE,
  type Composer,
  type CreateComposer,
  type SingleComposer,
  type UpdateComposer,
  type UpdatedComposer,
} from "./shapes.ts";
import { announceLinks } from "./shareholders.ts";

type WriteDeps = Pick<Deps, "db" | "now">;
/** Columns that a request may set. */
type Written = Partial<Omit<queries.ComposerRow, "id" | "ownerId" | "createdAt" | "deletedAt">>;

const OPTIONAL_FIELDS = [
  "artistName",
  "publisher",
  "pro",
  "ipi",
  "isni",
  "lastName",
  "publisherIpi",
] as const;

/** What may be said of a new composer. The address may be unknown. */
type NewComposer = Omit<CreateComposer, "email"> & {
  email?: string | null;
  isni?: string | null;
  lastName?: string | null;
  publisherIpi?: string | null;
};

/**
 * Returns a page of an account's composers, newest first, each with the tracks they have a share in.
 *
 * @param cursor Id of the last composer on the previous page; it may have been deleted since (decision 4.27).
 * @throws DomainError `validation_failed` for a cursor that was never a composer of the account.
 */
export function listComposers(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  cursor: string | undefined,
): Page<Composer> {
  const after = cursor === undefined ? undefined : queries.findWithTombstones(db, ownerId, cursor);
  if (cursor !== undefined && !after)
    throw invalidField("cursor", "invalid_cursor", "must be the id of a composer of this account");
  const rows = queries.listComposers(db, ownerId, COMPOSERS_PER_PAGE + 1, after);
  const page = rows.slice(0, COMPOSERS_PER_PAGE);
  const nextCursor = rows.length > page.length ? (page.at(-1)?.id ?? null) : null;
  return { items: toComposers(db, page), paging: { limit: COMPOSERS_PER_PAGE, next_cursor: nextCursor } };
}

/** Returns how many composers an account has. */
export function countComposers({ db }: Pick<Deps, "db">, ownerId: LibraryId): { count: number } {
  return { count: queries.countComposers(db, ownerId) };
}

/** Returns a composer; `composer` is null if it is unknown or another account's. */
export function findComposer({ db }: Pick<Deps, "db">, ownerId: LibraryId, id: string): SingleComposer {
  const row = queries.findComposer(db, ownerId, id);
  const [composer = null] = row ? toComposers(db, [row]) : [];
  return { composer, id, userId: composer && ownerId };
}

/**
 * Adds a composer and announces it.
 *
 * @throws DomainError `duplicate_email`, `validation_failed` for a blank name.
 */
export function createComposer({ db, now }: WriteDeps, ownerId: LibraryId, input: NewComposer): Composer {
  const fields = { ...readFields(input), fullName: requireText("fullName", input.fullName) };
  return transact(db, (tx) => {
    if (fields.email) checkEmailFree(tx, ownerId, fields.email);
    const [id, at] = [newId("shr"), now()];
    const row = queries.insertComposer(tx, { ...fields, id, ownerId, createdAt: at });
    const changed = [
      "fullName",
      ...(["email", ...OPTIONAL_FIELDS] as const).filter((field) => row[field] !== null),
    ];
    emit(tx, ownerId, "composer.created", { composerId: id, changed }, at);
    return toComposer(row, []);
  });
}

/**
 * Changes the fields of a composer that were sent. Announces a real change, and for a change of publisher also
 * announces every linked track.
 *
 * @throws DomainError `composer_not_found`, `duplicate_email`, `validation_failed` for a blank name.
 */
export function updateComposer(
  { db, now }: WriteDeps,
  ownerId: LibraryId,
  { id, ...input }: Omit<UpdateComposer, "email"> & Partial<NewComposer>,
): UpdatedComposer {
  const sent = readFields(input);
  return transact(db, (tx) => {
    const before = getComposer(tx, ownerId, id);
    if (sent.email && sent.email !== before.email) checkEmailFree(tx, ownerId, sent.email);
    const fields = Object.keys(sent) as (keyof Written)[];
    const changed = fields.filter((field) => sent[field] !== before[field]);
    if (changed.length > 0) {
      const at = now();
      const after = queries.updateComposer(tx, id, sent);
      emit(tx, ownerId, "composer.updated", { composerId: id, changed }, at);
      announcePublisher(tx, { before, after }, at);
    }
    // The type lists what may be present; the fields present are those that were sent.
    return { success: true, composer: { id, ...sent } as UpdatedComposer["composer"] };
  });
}

/**
 * Permanently deletes a composer. Removes and announces each link to a track, and keeps no data about the person.
 *
 * @throws DomainError `composer_not_found`.
 */
export function deleteComposer({ db, now }: WriteDeps, ownerId: LibraryId, id: string): { success: true } {
  return transact(db, (tx) => {
    const at = now();
    const { publisher } = getComposer(tx, ownerId, id);
    const publishers = new Map([[id, publisher]]);
    for (const [trackId, links] of linksByTrack(tx, id))
      announceLinks(tx, { ownerId, trackId, publishers, changes: diffLinks(links, []) }, at);
    queries.deleteLinksOfComposer(tx, id);
    queries.buryComposer(tx, id, at);
    return { success: true };
  });
}

/** A composer's publisher has a share in the same tracks as the composer, so announces the change there too. */
function announcePublisher(
  tx: Db,
  { before, after }: { before: queries.ComposerRow; after: queries.ComposerRow },
  at: number,
): void {
  const publisher = after.publisher ?? before.publisher;
  if (before.publisher === after.publisher || publisher === null) return;
  const change = publisherChange(before.publisher, after.publisher);
  for (const trackId of linksByTrack(tx, after.id).keys())
    emit(tx, after.ownerId, `publisher.${change}`, { trackId, shareholderId: after.id, publisher }, at);
}

function publisherChange(before: string | null, after: string | null): LinkChange {
  if (before === null) return "linked_to_track";
  return after === null ? "unlinked_from_track" : "track_updated";
}

function linksByTrack(tx: Db, composerId: string): Map<string, queries.Link[]> {
  return Map.groupBy(queries.selectLinksOfComposer(tx, composerId), ({ trackId }) => trackId);
}

/** Returns the columns that were sent: trimmed, the address in lower case, blank optional texts as null. */
function readFields({ fullName, email, ...optional }: Partial<NewComposer>): Written {
  const written: Written = {};
  if (fullName !== undefined) written.fullName = requireText("fullName", fullName);
  if (email !== undefined) written.email = normaliseEmail(email ?? "") || null;
  for (const field of OPTIONAL_FIELDS)
    if (optional[field] !== undefined) written[field] = optional[field]?.trim() || null;
  return written;
}

function checkEmailFree(tx: Db, ownerId: LibraryId, email: string): void {
  if (queries.findByEmail(tx, ownerId, email))
    throw new DomainError("duplicate_email", "Another composer already has this e-mail address");
}

function getComposer(db: Db, ownerId: LibraryId, id: string): queries.ComposerRow {
  const row = queries.findComposer(db, ownerId, id);
  if (row) return row;
  throw new DomainError("composer_not_found", "There is no such composer");
}

function toComposers(db: Db, rows: readonly queries.ComposerRow[]): Composer[] {
  const linked = queries.selectTracksOf(
    db,
    rows.map(({ id }) => id),
  );
  const byComposer = Map.groupBy(linked, ({ composerId }) => composerId);
  return rows.map((row) => toComposer(row, byComposer.get(row.id) ?? []));
}

function toComposer(row: queries.ComposerRow, linked: readonly queries.LinkedTrack[]): Composer {
  return {
    id: row.id,
    userId: row.ownerId,
    fullName: row.fullName,
    artistName: row.artistName,
    email: row.email ?? "", // a composer of the console may have none
    publisher: row.publisher,
    pro: row.pro,
    ipi: row.ipi,
    createdAt: toIso(row.createdAt),
    tracks: linked.map(({ share, role, id, name, createdAt }) => ({
      share,
      role,
      track: { id, name, createdAt: toIso(createdAt) },
    })),
  };
}
