import { setImmediate } from "node:timers/promises";
import { transact } from "../../../db/client.ts";
import { searches } from "../../../db/schema.ts";
import type { OwnerActor } from "../../kernel/actor.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { tagsOfTracks } from "../tags/service.ts";
import { findOwnArtist, type OwnArtist } from "./artists.ts";
import type { Interpretation } from "./brief/interpretation.ts";
import { parseBrief } from "./brief/parse.ts";
import { eligibilityOf, selectCandidates } from "./candidates.ts";
import { echoOf, type Filter, readConstraints, resolveFilter } from "./constraints.ts";
import type { SearchHit, SearchRequest, SearchResult } from "./model.ts";
import { suggestedNameOf } from "./naming.ts";
import { selectCredits, selectHits, selectOwnIds, takeCredit } from "./queries.ts";
import { type Ranked, rank } from "./rank.ts";
import { hardReasons } from "./reasons.ts";
import { toSearchHit, toWireInterpretation } from "./wire.ts";

type SearchDeps = Pick<Deps, "db" | "now">;

/** A search that was paid for; `creditsRemaining` is null for an unlimited account. */
export type PaidSearch = { result: SearchResult; creditsRemaining: number | null };

const DEFAULT_LIMIT = 20;

/**
 * Ranks the owner's analysed tracks by prose, takes one credit and writes the history entry. Whatever throws costs
 * nothing (decision 4.22); no results is a success.
 *
 * @throws DomainError `validation_failed` for constraints that make no sense, `not_enough_credits` before any work.
 */
export async function searchTracks(
  deps: SearchDeps,
  actor: OwnerActor,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<PaidSearch> {
  const filter = readConstraints(request.constraints ?? {});
  if (selectCredits(deps.db, actor.accountId) === 0) throw notEnoughCredits();

  const found = await find(deps, actor.accountId, request, filter, signal);
  const result: SearchResult = {
    query: request.query,
    count: found.hits.length,
    results: found.hits,
    interpretation: found.interpretation,
    suggestedName: suggestedNameOf(request.query, found.brief),
    searchId: newId("srch"),
  };
  return { result, creditsRemaining: payAndRecord(deps, actor, request, result) };
}

async function find(
  { db }: SearchDeps,
  ownerId: string,
  request: SearchRequest,
  filter: Filter,
  signal: AbortSignal,
) {
  const artists = new Map<string, OwnArtist>();
  const brief = parseBrief(request.query, {
    findArtist: (name) => {
      const artist = findOwnArtist(db, ownerId, name);
      if (artist) artists.set(artist.name, artist);
      return artist?.name;
    },
  });
  const reference = brief.referenceArtist === null ? undefined : artists.get(brief.referenceArtist);
  const seedIds = selectOwnIds(db, ownerId, request.seedTrackIds ?? []);
  const excludedIds = selectOwnIds(db, ownerId, request.excludeTrackIds ?? []);
  await breathe(signal);

  const eligibility = eligibilityOf(ownerId, resolveFilter(db, ownerId, filter), excludedIds);
  const candidates = selectCandidates(db, eligibility, columnsOf(brief));
  await breathe(signal);

  const limit = request.limit ?? DEFAULT_LIMIT;
  const ranked = rank({ db, ownerId, eligibility, candidates, brief, seedIds, reference, limit });
  await breathe(signal);

  const interpretation = toWireInterpretation(brief, {
    appliedConstraints: echoOf(filter),
    appliedTuning: {
      ...(seedIds.length > 0 && { seedTrackIds: seedIds }),
      ...(excludedIds.length > 0 && { excludeTrackIds: excludedIds }),
      ...(reference && { referenceArtist: reference.name }),
    },
  });
  return { brief, interpretation, hits: toHits(db, ranked, filter) };
}

const columnsOf = (brief: Interpretation) => ({
  energy: brief.energy !== null,
  voice: brief.vocalPreference !== null,
});

function toHits(db: SearchDeps["db"], ranked: readonly Ranked[], filter: Filter): SearchHit[] {
  const ids = ranked.map(({ id }) => id);
  const rows = new Map(selectHits(db, ids).map((row) => [row.id, row]));
  const tags = tagsOfTracks(db, ids);
  return ranked.flatMap((each) => {
    const row = rows.get(each.id);
    if (!row) return [];
    const reasons = [...new Set([...each.reasons, ...hardReasons(row, filter)])];
    return [toSearchHit(row, tags.get(each.id) ?? [], { ...each, reasons })];
  });
}

/** The charge and the history entry stand or fall together, after everything that can fail. */
function payAndRecord(
  { db, now }: SearchDeps,
  actor: OwnerActor,
  { query, ...request }: SearchRequest,
  result: SearchResult,
): number | null {
  return transact(db, (tx) => {
    const left = takeCredit(tx, actor.accountId);
    if (left === undefined) throw notEnoughCredits();
    tx.insert(searches)
      .values({
        id: result.searchId,
        accountId: actor.accountId,
        keyId: actor.keyId,
        query,
        request,
        interpretation: result.interpretation,
        resultIds: result.results.map(({ id }) => id),
        creditsCharged: left === null ? 0 : 1,
        at: now(),
      })
      .run();
    return left;
  });
}

function notEnoughCredits(): DomainError {
  return new DomainError("not_enough_credits", "A search costs one credit, and there is none left");
}

/**
 * Lets other requests run between the steps, and ends the search when its client has gone or its time is over: that
 * is only seen once the event loop has turned.
 *
 * @throws DomainError `request_timeout`, which nobody may be there to read.
 */
async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  if (signal.aborted)
    throw new DomainError("request_timeout", "The search was given up", { cause: signal.reason });
}
