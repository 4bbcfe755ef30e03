import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { getOwnedTrack, ownedAmong } from "../catalog/service.ts";
import { decideTags, tagsOfTracks } from "../tags/service.ts";
import type { TagCategory, TagRef } from "../tags/shapes.ts";
import { heardSuggestions } from "./learning/refresh.ts";
import { isOfActiveAudio } from "./queries.ts";
import { requestAnalysis } from "./request.ts";
import type { Applied, AutoTagged, AutoTaggedBatch } from "./shapes.ts";

type TagDeps = Pick<Deps, "db" | "now">;

/**
 * Queues another analysis of an account's track, which suggests tags again.
 *
 * @throws DomainError `track_not_found`.
 */
export function autoTag({ db, now }: TagDeps, ownerId: LibraryId, trackId: string): AutoTagged {
  return transact(db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    requestAnalysis(tx, trackId, now());
    return { ok: true, trackId, analysisStatus: "pending" };
  });
}

/**
 * Queues another analysis of each of many tracks. The result names ids that are not the account's; they are refused
 * only when none of the ids is.
 *
 * @throws DomainError `track_not_found` when no id belongs to a track of the account.
 */
export function autoTagBatch(
  { db, now }: TagDeps,
  ownerId: LibraryId,
  asked: readonly string[],
): AutoTaggedBatch {
  return transact(db, (tx) => {
    const ids = [...new Set(asked)];
    const own = ownedAmong(tx, ownerId, ids);
    if (own.size === 0) throw new DomainError("track_not_found", "There is no such track");
    const at = now();
    const trackIds = ids.filter((id) => own.has(id));
    for (const id of trackIds) requestAnalysis(tx, id, at);
    return { ok: true, queued: trackIds.length, trackIds, notFound: ids.filter((id) => !own.has(id)) };
  });
}

/**
 * Overwrites a track's tags with its suggestions as the analysis made them: what the owner wrote since does not count.
 * Categories without a suggestion stay as they are. If there are no suggestions for the active audio, queues an analysis
 * instead.
 *
 * @throws DomainError `track_not_found`.
 */
export function applySuggestions({ db, now }: TagDeps, ownerId: LibraryId, trackId: string): Applied {
  return transact(db, (tx) => {
    const track = getOwnedTrack(tx, ownerId, trackId);
    const suggestions = isOfActiveAudio(track) ? heardSuggestions(tx, ownerId, trackId) : [];
    if (suggestions.length === 0) {
      requestAnalysis(tx, trackId, now());
      return { trackId, applied: false, requeued: true };
    }
    const tags = new Map<TagCategory, TagRef[]>();
    for (const [category, members] of Map.groupBy(suggestions, (each) => each.category))
      tags.set(
        category,
        members.map(({ id, name }) => ({ id, name })),
      );
    keepFreeText(tx, trackId, tags);
    decideTags(tx, { ownerId, trackId, tags, source: "apply" }, now());
    return { trackId, applied: true, requeued: false };
  });
}

/** Suggested free text is added to the owner's free text and never replaces it. */
function keepFreeText(tx: Db, trackId: string, tags: Map<TagCategory, TagRef[]>): void {
  const learnt = tags.get("tags");
  if (!learnt) return;
  const written = (tagsOfTracks(tx, [trackId]).get(trackId) ?? []).filter(
    ({ category }) => category === "tags",
  );
  const all = new Map([...written, ...learnt].map(({ id, name }) => [id, { id, name }]));
  tags.set("tags", [...all.values()]);
}
