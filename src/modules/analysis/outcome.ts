import { type Db, transact } from "../../../db/client.ts";
import { mapGenres } from "../../../db/taxonomy.ts";
import type { Deps } from "../../kernel/deps.ts";
import { emit } from "../../kernel/events.ts";
import type { StagedArtwork } from "../artwork/service.ts";
import { type TrackColumns, updateTrack, updateVersion } from "../catalog/service.ts";
import { storeRecording } from "../recordings/service.ts";
import { requestRendition } from "../renditions/service.ts";
import { clearSuggestions, replaceSuggestions, writeTags } from "../tags/service.ts";
import { showEmbeddedCover } from "./cover.ts";
import { requestEmbedding } from "./embed.ts";
import { relearnTrack } from "./learning/learn.ts";
import { getLearner } from "./learning/learner.ts";
import { learntFor } from "./learning/refresh.ts";
import { measuredProfile, taggedProfile, withoutOwnerFields } from "./profile.ts";
import * as queries from "./queries.ts";
import { requestAnalysis } from "./request.ts";
import { suggestTags } from "./suggest/suggest.ts";
import type { AnalysisOutcome, FileInfo, Measurement } from "./task.ts";

/**
 * Writes what came of an analysis, all of it or nothing: measurements, profile, tags of the file, suggestions,
 * vector, words and event. When another version became the active one meanwhile, only what belongs to the analysed version is written,
 * and the analysis of the new one is requested.
 */
export function storeOutcome(
  deps: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">,
  subject: queries.Subject,
  outcome: AnalysisOutcome,
  cover?: StagedArtwork,
): void {
  const { db, now } = deps;
  transact(db, (tx) => {
    const at = now();
    const isThere = updateVersion(tx, subject.versionId, { analysedAt: at });
    if (isThere && "measurement" in outcome) {
      queries.putAnalysis(tx, subject, outcome, at);
      storeRecording(tx, subject, outcome.measurement.recording);
    }

    const current = queries.findSubject(tx, subject.trackId);
    if (!current) return;
    if (current.versionId !== subject.versionId) return requestAnalysis(tx, subject.trackId, at);
    describeTrack(tx, subject, outcome);
    if (cover) showEmbeddedCover(tx, deps, subject.trackId, cover);
    if ("failure" in outcome) return queries.setFailed(tx, subject.trackId, outcome.failure);
    queries.putVector(tx, subject.trackId, outcome.measurement);
    suggest(tx, subject, outcome.measurement, outcome.info?.tags ?? {});
    relearnTrack(tx, subject.ownerId, subject.trackId, at);
    complete(tx, subject, at);
    requestRendition(tx, deps, subject.sha256, at);
    requestEmbedding(tx, deps, subject.trackId, at);
  });
}

/** Writes what a failed analysis knows too: the hash of the bytes, and what the file says of itself. */
function describeTrack(tx: Db, subject: queries.Subject, outcome: AnalysisOutcome): void {
  const { trackId, ownerId, sha256 } = subject;
  const tags = outcome.info?.tags ?? {};
  const profile =
    "measurement" in outcome
      ? measuredProfile(outcome.measurement, tags)
      : { ...forgottenProfile(tx, subject), ...taggedProfile(tags) };
  const ownerFields = queries.ownerFieldsOf(tx, trackId);
  updateTrack(tx, trackId, { ...withoutOwnerFields(profile, ownerFields), cid: sha256 });

  const genres = mapGenres(tags.genres ?? []).map(({ name }) => name);
  // An owner who cleared the genres wrote them too.
  if (genres.length > 0 && !ownerFields.includes("genres"))
    writeTags(tx, ownerId, trackId, "genres", genres, "file");
}

/** What was measured on another version is no word on this one, once it is known that nothing better will come. */
function forgottenProfile(tx: Db, { trackId, versionId }: queries.Subject): TrackColumns {
  if (queries.analysisVersionOf(tx, trackId) === versionId) return {};
  queries.deleteVector(tx, trackId);
  clearSuggestions(tx, trackId);
  return { bpm: null, key: null, durationSec: null };
}

/** Puts what this recording suggests in the place of what an earlier look at the track did. */
function suggest(
  tx: Db,
  { trackId, ownerId, filename }: queries.Subject,
  analysis: Measurement,
  embedded: FileInfo["tags"],
): void {
  const { features, descriptors } = analysis;
  const basis = { features, analysis, embedded, filename, descriptors };
  const suggestions = suggestTags(basis, learntFor(tx, ownerId, trackId));
  replaceSuggestions(tx, trackId, suggestions, getLearner(tx, ownerId).modelVersion);
}

function complete(tx: Db, { trackId, ownerId, versionId }: queries.Subject, at: number): void {
  updateTrack(tx, trackId, {
    analysisStatus: "completed",
    analysisCode: null,
    analysisReason: null,
    analysisVersionId: versionId,
  });
  const data = { trackId, activeVersionId: versionId, analysisStatus: "completed" };
  emit(tx, ownerId, "track.audio_profile_completed", data, at);
}
