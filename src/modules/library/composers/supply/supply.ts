import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../../db/schema.ts";
import { type Deps, within } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { newId, newToken } from "../../../../kernel/ids.ts";
import { sha256 } from "../../../../kernel/secrets.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../../../kernel/time.ts";
import { ownedAmong, titleOf } from "../../catalog/service.ts";
import { getAppComposer } from "../app-list.ts";
import type { AppComposer } from "../app-shapes.ts";
import { updateComposer } from "../composers.ts";
import { type ComposerRow, findComposer } from "../queries.ts";
import * as queries from "./queries.ts";
import { SUPPLIED, SUPPLY_DAYS, type Suggestion, type SuppliedField } from "./shapes.ts";

type WriteDeps = Pick<Deps, "db" | "now">;

/** What a composer sends: details as they typed them, and what they say of their shares, in the order asked. */
export type Supplied = {
  fields: Partial<Record<SuppliedField, string>>;
  shares: { trackId: string; role: string; share: number; isRight: boolean | null }[];
  note: string | null;
};

/** A link to a composer's own details, whose token nobody can read again. */
export type Asked = { id: string; token: string; expiresAt: number };

/**
 * Makes a link by which a composer checks and completes their own details. It takes the place of an earlier one that nobody has
 * answered. Call it in a transaction.
 *
 * @throws DomainError `composer_not_found`; `track_not_found` for a track that is not in the library.
 */
export function askComposer(
  tx: Db,
  asked: { ownerId: LibraryId; composerId: string; trackIds: readonly string[]; madeBy: PersonId },
  at: number,
): Asked {
  const { ownerId, composerId, madeBy } = asked;
  requireComposer(tx, ownerId, composerId);
  const trackIds = [...new Set(asked.trackIds)];
  const owned = ownedAmong(tx, ownerId, trackIds);
  if (trackIds.some((id) => !owned.has(id)))
    throw new DomainError("track_not_found", "There is no such track");
  for (const { id, answeredAt } of queries.selectOpen(tx, composerId))
    if (answeredAt === null) queries.updateRequest(tx, id, { withdrawnAt: at, tokenHash: null });
  const token = newToken(32);
  const [id, expiresAt] = [newId("sup"), at + SUPPLY_DAYS * DAY_MS];
  const tokenHash = sha256(token);
  queries.insertRequest(tx, {
    id,
    ownerId,
    composerId,
    trackIds,
    tokenHash,
    madeBy,
    createdAt: at,
    expiresAt,
  });
  return { id, token, expiresAt };
}

/** What a link of {@link askComposer} opens. */
export type OpenSupply = {
  request: queries.RequestRow;
  composer: ComposerRow;
  shares: (queries.AskedShare & { title: string })[];
};

/** Returns what a link opens; undefined for one that never worked, or no longer does. */
export function findSupply({ db, now }: Pick<Deps, "db" | "now">, token: string): OpenSupply | undefined {
  const request = queries.findByToken(db, sha256(token));
  if (!request || request.withdrawnAt !== null || request.takenAt !== null || request.expiresAt <= now())
    return undefined;
  const composer = findComposer(db, request.ownerId, request.composerId);
  if (!composer) return undefined;
  const shares = queries.selectShares(db, request).map((row) => ({ ...row, title: titleOf(row) }));
  return { request, composer, shares };
}

/** Keeps what a composer sent, in the place of what they sent before, until somebody of the library decides. */
export function answerSupply(tx: Db, requestId: string, supplied: Supplied, at: number): void {
  queries.updateRequest(tx, requestId, { answer: supplied, answeredAt: at });
}

/** Returns what a composer was asked for and nobody has decided on. */
export function listSuggestions(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  composerId: string,
): Suggestion[] {
  const composer = requireComposer(db, ownerId, composerId);
  return queries.selectOpen(db, composerId).map((row) => toSuggestion(db, composer, row));
}

/**
 * Makes of what a composer sent what the library has, as far as it is taken, and forgets the rest.
 *
 * @throws DomainError `composer_not_found`, `not_found`; `duplicate_email`; `validation_failed` for a blank name.
 */
export function decideSuggestion(
  deps: WriteDeps,
  ownerId: LibraryId,
  { composerId, requestId, take }: { composerId: string; requestId: string; take: readonly SuppliedField[] },
): AppComposer {
  return transact(deps.db, (tx) => {
    requireComposer(tx, ownerId, composerId);
    const request = queries.findRequest(tx, ownerId, { composerId, id: requestId });
    if (!request || request.takenAt !== null || request.withdrawnAt !== null)
      throw new DomainError("not_found", "There is no such suggestion");
    const { fields } = suppliedOf(request);
    const taken = Object.fromEntries(
      take.flatMap((field) => (field in fields ? [[field, fields[field]]] : [])),
    );
    const inTx = within(deps, tx);
    if (Object.keys(taken).length > 0) updateComposer(inTx, ownerId, { id: composerId, ...taken });
    const at = deps.now();
    queries.updateRequest(tx, requestId, {
      tokenHash: null,
      answer: null,
      ...(request.answeredAt === null ? { withdrawnAt: at } : { takenAt: at }),
    });
    return getAppComposer(inTx, ownerId, composerId);
  });
}

/** An export may hold anything in the place of an answer. */
function suppliedOf({ answer }: queries.RequestRow): Supplied {
  const { fields, shares, note } = (answer ?? {}) as Partial<Record<keyof Supplied, unknown>>;
  const sent = typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : {};
  const known = SUPPLIED.flatMap((name) => (typeof sent[name] === "string" ? [[name, sent[name]]] : []));
  return {
    fields: Object.fromEntries(known),
    shares: Array.isArray(shares) ? shares : [],
    note: typeof note === "string" ? note : null,
  };
}

function toSuggestion(db: Db, composer: ComposerRow, row: queries.RequestRow): Suggestion {
  const supplied = suppliedOf(row);
  const said = new Map(supplied.shares.map(({ trackId, role, isRight }) => [`${trackId} ${role}`, isRight]));
  return {
    requestId: row.id,
    askedAt: toIso(row.createdAt),
    expiresAt: toIso(row.expiresAt),
    answeredAt: toIsoOrNull(row.answeredAt),
    offered: SUPPLIED.flatMap((field) => {
      const [from, to] = [composer[field], supplied.fields[field]];
      return to === undefined || to === (from ?? "") ? [] : [{ field, from, to }];
    }),
    shares: queries.selectShares(db, row).map(({ trackId, role, share, ...named }) => {
      const isRight = said.get(`${trackId} ${role}`);
      return {
        trackId,
        role,
        share,
        title: titleOf(named),
        isRight: typeof isRight === "boolean" ? isRight : null,
      };
    }),
    note: supplied.note,
  };
}

function requireComposer(db: Db, ownerId: LibraryId, id: string): ComposerRow {
  const composer = findComposer(db, ownerId, id);
  if (composer) return composer;
  throw new DomainError("composer_not_found", "There is no such composer");
}
