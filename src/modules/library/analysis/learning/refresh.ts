import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { replaceSuggestions, selectSuggestions } from "../../tags/service.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { type Learnt, suggestTags, tagKey } from "../suggest/suggest.ts";
import { getLearner, putLearner } from "./learner.ts";
import { selectBases, selectModels, selectTrackVerdicts } from "./queries.ts";

/** Tracks per batch: a few milliseconds of work. */
const BATCH = 50;
/** A suggestion is rewritten when its confidence changes by this much; smaller changes go unnoticed. */
const NOTICEABLE = 0.05;

/** Returns the handler of `refresh-suggestions`. It writes only what has changed, and pauses for as long as it works. */
export function refreshHandler(deps: Pick<Deps, "db">): JobHandler {
  const { db } = deps;
  return async ({ ownerId: id }, { signal }) => {
    const ownerId = String(id);
    const { modelVersion } = getLearner(db, ownerId);
    let after = "";
    for (;;) {
      const trackIds = nextTracks(db, ownerId, after);
      if (trackIds.length === 0) break;
      const started = performance.now();
      refreshTracks(db, ownerId, trackIds);
      await Bun.sleep(performance.now() - started);
      signal.throwIfAborted();
      after = trackIds.at(-1) ?? after;
    }
    transact(db, (tx) =>
      putLearner(tx, ownerId, { ...getLearner(tx, ownerId), refreshedVersion: modelVersion }),
    );
  };
}

/** Served by index `tracks_by_owner_id`. */
function nextTracks(db: Db, ownerId: LibraryId, after: string): string[] {
  return db.$client
    .query<{ id: string }, [string, string, number]>(
      `SELECT id FROM tracks WHERE owner_id = ? AND id > ? AND suggestion_model IS NOT NULL ORDER BY id LIMIT ?`,
    )
    .all(ownerId, after, BATCH)
    .map(({ id }) => id);
}

/** Recomputes tracks' suggestions from their measurements, and writes those that have changed. */
export function refreshTracks(db: Db, ownerId: LibraryId, trackIds: readonly string[]): void {
  transact(db, (tx) => {
    const { modelVersion } = getLearner(tx, ownerId);
    for (const [trackId, suggestions] of freshSuggestions(tx, ownerId, trackIds))
      if (isNoticeable(selectSuggestions(tx, trackId), suggestions))
        replaceSuggestions(tx, trackId, suggestions, modelVersion);
  });
}

/** Returns what the account's model now suggests for its tracks; unanalysed tracks are left out. */
export function freshSuggestions(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
): Map<string, TagSuggestion[]> {
  const models = selectModels(db, ownerId);
  const verdicts = selectTrackVerdicts(db, ownerId, trackIds);
  const bases = selectBases(db, ownerId, trackIds);
  return new Map(
    Array.from(bases, ([trackId, basis]) => [
      trackId,
      suggestTags(basis, { models, verdicts: verdicts.get(trackId) ?? new Map() }),
    ]),
  );
}

/**
 * Returns the suggestions for a track without the verdicts on this very track. Verdicts on other tracks count, except for tags
 * that the owner has judged here: the models know that judgement.
 */
export function heardSuggestions(db: Db, ownerId: LibraryId, trackId: string): TagSuggestion[] {
  const verdicts = selectTrackVerdicts(db, ownerId, [trackId]).get(trackId) ?? new Map();
  const said = new Map([...verdicts].filter(([, { isApplied }]) => !isApplied));
  const stored = selectSuggestions(db, trackId);
  if (said.size === 0) return stored;
  const basis = selectBases(db, ownerId, [trackId]).get(trackId);
  if (!basis) return stored.filter((tag) => !said.has(tagKey(tag)));
  const models = selectModels(db, ownerId).filter((tag) => !said.has(tagKey(tag)));
  return suggestTags(basis, { models, verdicts: new Map() });
}

/** Returns the part of the account's learning that applies to one of its tracks. */
export function learntFor(db: Db, ownerId: LibraryId, trackId: string): Learnt {
  const verdicts = selectTrackVerdicts(db, ownerId, [trackId]).get(trackId) ?? new Map();
  return { models: selectModels(db, ownerId), verdicts };
}

/** True when the account's newest model would suggest other tags for the track. */
export function wouldChange(
  db: Db,
  ownerId: LibraryId,
  trackId: string,
  stored: readonly TagSuggestion[],
): boolean {
  const fresh = freshSuggestions(db, ownerId, [trackId]).get(trackId) ?? [];
  const keysOf = (tags: readonly TagSuggestion[]) => tags.map(tagKey).sort().join();
  return keysOf(stored) !== keysOf(fresh);
}

function isNoticeable(stored: readonly TagSuggestion[], fresh: readonly TagSuggestion[]): boolean {
  const before = new Map(stored.map((tag) => [tagKey(tag), tag.confidence]));
  return (
    stored.length !== fresh.length ||
    fresh.some((tag) => Math.abs((before.get(tagKey(tag)) ?? 2) - tag.confidence) >= NOTICEABLE)
  );
}
