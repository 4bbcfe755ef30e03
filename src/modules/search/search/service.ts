import { setImmediate } from "node:timers/promises";
import { type Db, transactUnsynced } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Interpretation } from "../../../brief/interpretation.ts";
import { mayDo, type OwnerActor, type Viewer } from "../../../kernel/actor.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { FACTS } from "../../../kernel/facts.ts";
import { newId } from "../../../kernel/ids.ts";
import { meter } from "../../../kernel/meter.ts";
import { requireText } from "../../../kernel/text.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { artworkUrl } from "../../library/artwork/service.ts";
import { getOwnedTrack } from "../../library/catalog/service.ts";
import { membersBeside } from "../../library/families/service.ts";
import { selectCredits, takeCredit } from "../../people/accounts/service.ts";
import { readConstraints } from "./filters/constraints.ts";
import type { Hidden } from "./find.ts";
import { engineOf } from "./index/placement.ts";
import type { Parser, ReadWithModel } from "./llm/reader.ts";
import { insertSearch, isTitle } from "./queries.ts";
import type { Asked, Reference } from "./reference/reference.ts";
import { requireSpan, spanOf } from "./reference/span.ts";
import type { SearchHit, SearchRequest, SearchResult, WireInterpretation } from "./shapes.ts";
import type { SimilarTracks, TrackNotFound } from "./similar-shapes.ts";

export { expectSearches, startSearching } from "./index/placement.ts";
export { forgetSnapshot } from "./index/snapshots.ts";
export { transferSearches } from "./transfer.ts";

type SearchDeps = Pick<Deps, "db" | "now" | "settings"> & {
  /** Reads briefs once more with a language model; undefined when the operator set up none. */
  readWithModel: ReadWithModel | undefined;
};

/** A search that was paid for; `creditsRemaining` is null for an unlimited account. */
export type PaidSearch = { result: SearchResult; creditsRemaining: number | null };

const DEFAULT_LIMIT = 20;

/**
 * Ranks the owner's analysed tracks by prose, takes one credit and writes the history entry. A search that throws costs
 * nothing (decision 4.22); a search without results is a success.
 *
 * @throws DomainError `validation_failed` for a blank query or impossible constraints; `not_enough_credits` before any
 *   work.
 */
export async function searchTracks(
  deps: SearchDeps,
  actor: OwnerActor,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<PaidSearch> {
  requireText("query", request.query);
  return payFor(deps, actor, request, signal);
}

/** Ranks as {@link searchTracks} does by a sound that is not in the library; the query may be empty. */
export function searchByReference(
  deps: SearchDeps,
  actor: OwnerActor,
  { wish: { span: _, ...wish }, reference }: Asked,
  signal: AbortSignal,
): Promise<PaidSearch> {
  return payFor(deps, actor, wish, signal, reference);
}

async function payFor(
  deps: SearchDeps,
  actor: OwnerActor,
  request: SearchRequest,
  signal: AbortSignal,
  reference?: Reference,
): Promise<PaidSearch> {
  const filter = readConstraints(request.constraints ?? {});
  const { passage } = request;
  if (passage) {
    requireSpan(passage, "passage.");
    getOwnedTrack(deps.db, actor.accountId, passage.trackId);
  }
  requireCredit(deps.db, actor.accountId);

  const now = deps.now();
  const reading =
    deps.readWithModel &&
    request.query !== "" &&
    (await deps.readWithModel(
      request.query,
      await readByRules(deps, actor, request, now, reference !== undefined),
      signal,
    ));
  const engine = await engineOf(deps.db);
  const from = performance.now();
  const found = await engine.search(
    {
      ownerId: actor.accountId,
      query: request.query,
      ...(reading && { brief: reading.brief }),
      filter,
      seedIds: seedsIn(request),
      ...(passage && { passage }),
      ...(reference && { reference }),
      excludedIds: request.excludeTrackIds ?? [],
      ...(request.onePerFamily && { onePerFamily: true }),
      limit: request.limit ?? DEFAULT_LIMIT,
      now,
      ...(actor.personId && { askedBy: actor.personId }),
      ...hiddenFrom(actor),
    },
    signal,
  );
  meter(deps.db, { kind: "search", seconds: (performance.now() - from) / SECOND_MS });
  await breathe(signal);
  const result: SearchResult = {
    query: request.query,
    count: found.hits.length,
    results: withCovers(deps, found.hits),
    interpretation: reading ? readBy(reading.parser, found.interpretation) : found.interpretation,
    suggestedName: found.suggestedName,
    searchId: newId("srch"),
  };
  return { result, creditsRemaining: payAndRecord(deps, actor, request, result) };
}

/** What a search starts from: the track of a passage is a seed too. */
function seedsIn({ seedTrackIds = [], passage }: SearchRequest): readonly string[] {
  return passage ? [...seedTrackIds, passage.trackId] : seedTrackIds;
}

/**
 * Ranks some of the owner's tracks by prose, all of them unless `limit` says less. Costs nothing and leaves no history
 * entry. Tracks that are not analysed are left out; a brief that wants stems leaves out none that has no stems yet.
 */
export async function rankAmong(
  deps: Pick<Deps, "db" | "now" | "settings">,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  {
    query,
    among,
    limit = among?.length ?? DEFAULT_LIMIT,
  }: { query: string; among?: readonly string[]; limit?: number },
  signal: AbortSignal,
): Promise<{ hits: SearchHit[]; interpretation: WireInterpretation }> {
  const engine = await engineOf(deps.db);
  const { hits, interpretation } = await engine.search(
    {
      ownerId,
      query,
      filter: readConstraints({}),
      seedIds: [],
      excludedIds: [],
      ...(among && { among }),
      mayLack: true,
      limit,
      now: deps.now(),
      ...hiddenFrom(viewer),
    },
    signal,
  );
  return { hits: withCovers(deps, hits), interpretation };
}

/**
 * Ranks the other members of a track's family by prose. Costs nothing and leaves no history entry.
 *
 * @throws DomainError `track_not_found`.
 */
export async function searchFamily(
  deps: Pick<Deps, "db" | "now" | "settings">,
  actor: Viewer & { accountId: LibraryId },
  trackId: string,
  query: string,
  signal: AbortSignal,
): Promise<{ results: SearchHit[] }> {
  const track = getOwnedTrack(deps.db, actor.accountId, trackId);
  const members = membersBeside(deps.db, actor.accountId, [track.id]).get(track.id) ?? [];
  const among = members.map((member) => member.trackId);
  if (among.length === 0) return { results: [] };
  return { results: (await rankAmong(deps, actor, { query, among }, signal)).hits };
}

/** Returns the owner's tracks most similar to one of them. Costs nothing and leaves no history entry. */
export async function similarTracks(
  deps: Pick<Deps, "db" | "settings">,
  ownerId: LibraryId,
  { id, limit, fromSec, toSec }: { id: string; limit: number; fromSec?: number; toSec?: number },
  signal: AbortSignal,
): Promise<SimilarTracks | TrackNotFound> {
  const span = spanOf(fromSec, toSec);
  const engine = await engineOf(deps.db);
  const results = await engine.similar({ ownerId, trackId: id, limit, ...(span && { span }) }, signal);
  if (!results) return { ok: false, error: "TRACK_NOT_FOUND" };
  return { trackId: id, count: results.length, results: withCovers(deps, results) };
}

/** The search thread knows no settings: it names covers by their storage keys. */
function withCovers({ settings }: Pick<Deps, "settings">, hits: readonly SearchHit[]): SearchHit[] {
  return hits.map((hit) => ({ ...hit, cover: hit.cover === null ? null : artworkUrl(settings, hit.cover) }));
}

/** Returns what a search must not find by, for those who do not see everything. */
function hiddenFrom(viewer: Viewer): { hides?: Hidden } {
  const hides = {
    composers: !mayDo(viewer, "read:composers"),
    plays: !mayDo(viewer, "read:analytics"),
    facts: FACTS.flatMap((fact) => ("need" in fact && !mayDo(viewer, fact.need) ? [fact.name] : [])),
  };
  return hides.composers || hides.plays || hides.facts.length > 0 ? { hides } : {};
}

async function readByRules(
  { db }: Pick<Deps, "db">,
  { accountId, ...viewer }: OwnerActor,
  request: SearchRequest,
  now: number,
  hasReference: boolean,
): Promise<Interpretation> {
  const { query } = request;
  // The lexicon is loaded only where needed: without a language model, only in the search thread.
  const { parseBrief } = await import("../../../brief/read.ts");
  const { artistsOf } = await import("./artists.ts");
  const { findLineIn } = await import("./lyrics/find-sung.ts");
  const { isNameWord } = await import("./names/lookup.ts");
  const { findNamedIn } = await import("./seeds/named.ts");
  const { findPersonIn } = await import("./facts/people.ts");
  const artistOf = artistsOf(db, accountId);
  return parseBrief(query, {
    findArtist: (name) => artistOf(name)?.name,
    isTitle: isTitle(db, accountId, query),
    now,
    findLine: findLineIn(db, accountId),
    isName: (word) => isNameWord(db, accountId, word, !mayDo(viewer, "read:composers")),
    findNamed: findNamedIn(db, accountId, artistOf),
    findPerson: findPersonIn(db, accountId, {
      hidden: hiddenFrom(viewer).hides?.facts,
      askedBy: viewer.personId,
    }),
    hasSeeds: hasReference || seedsIn(request).length > 0,
  });
}

function readBy(parser: Parser, interpretation: WireInterpretation): WireInterpretation {
  return { ...interpretation, appliedTuning: { ...interpretation.appliedTuning, parser } };
}

/** Takes the credit and writes the history entry in one transaction, after everything that can fail. */
function payAndRecord(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: OwnerActor,
  { query, ...request }: SearchRequest,
  result: SearchResult,
): number | null {
  return transactUnsynced(db, (tx) => {
    const left = takeCredit(tx, actor.accountId);
    if (left === undefined) throw notEnoughCredits();
    insertSearch(tx, {
      id: result.searchId,
      accountId: actor.accountId,
      keyId: actor.keyId,
      personId: currentPerson(),
      query,
      request,
      interpretation: result.interpretation,
      resultIds: result.results.map(({ id }) => id),
      creditsCharged: left === null ? 0 : 1,
      at: now(),
    });
    return left;
  });
}

/** @throws DomainError `not_enough_credits`. */
export function requireCredit(db: Db, accountId: LibraryId): void {
  if (selectCredits(db, accountId) === 0) throw notEnoughCredits();
}

function notEnoughCredits(): DomainError {
  return new DomainError(
    "not_enough_credits",
    "A search costs one credit, and this account has none left: ask the operator for more",
  );
}

/**
 * Ends the search when its client has gone or its time has run out, which only shows after a turn of the event loop.
 *
 * @throws DomainError `request_timeout`, even when no client is left to read it.
 */
async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  if (signal.aborted)
    throw new DomainError("request_timeout", "The search took too long and was stopped", {
      cause: signal.reason,
    });
}
