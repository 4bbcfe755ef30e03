import { type Db, transact } from "../../../../db/client.ts";
import { mapGenres } from "../../../../db/taxonomy.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { emit } from "../../../kernel/events.ts";
import { meter } from "../../../kernel/meter.ts";
import type { StagedArtwork } from "../artwork/service.ts";
import { type TrackColumns, updateTrack, updateVersion } from "../catalog/service.ts";
import { putLyricsOfFile } from "../lyrics/service.ts";
import { putFaults } from "../readiness/service.ts";
import { requestCarrying, requestRelating, storeRecording } from "../recordings/service.ts";
import { requestRendition } from "../renditions/service.ts";
import { clearSuggestions, replaceSuggestions, writeTags } from "../tags/service.ts";
import { showEmbeddedCover } from "./cover.ts";
import { relearnTrack } from "./learning/learn.ts";
import { getLearner } from "./learning/learner.ts";
import { learntFor } from "./learning/refresh.ts";
import { promiseWhole } from "./places/unplaced.ts";
import { measuredProfile, taggedProfile, withoutOwnerFields } from "./profile.ts";
import * as queries from "./queries.ts";
import { requestAnalysis } from "./request.ts";
import { suggestTags } from "./suggest/suggest.ts";
import type { AnalysisOutcome, FileInfo, Measurement } from "./task.ts";

/**
 * Writes the outcome of an analysis in one transaction: measurements, profile, the file's tags, suggestions, vector,
 * words and event. If another version became active meanwhile, only the data of the analysed version is written, and
 * the analysis of the new one is requested. Of a version that was analysed for itself, nothing else is ever written.
 */
export function storeOutcome(
  deps: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">,
  analysed: queries.Subject,
  outcome: AnalysisOutcome,
  cover?: StagedArtwork,
): void {
  const { db, now } = deps;
  meter(db, { kind: "analysis", result: "failure" in outcome ? "failed" : "completed" });
  transact(db, (tx) => {
    const at = now();
    const current = queries.findSubject(tx, analysed.trackId);
    const subject = asOwned(analysed, current);
    storeMeasured(tx, subject, outcome, at);
    if (!current) return;
    if (subject.isVersionOnly) return showHash(tx, subject, current);
    if (current.versionId !== subject.versionId) return requestAnalysis(tx, subject.trackId, at);
    describeTrack(tx, subject, outcome);
    if (cover) showEmbeddedCover(tx, deps, subject.trackId, cover);
    if ("failure" in outcome) return queries.setFailed(tx, subject.trackId, outcome.failure);
    queries.putVectors(tx, subject.trackId, outcome.measurement);
    suggest(tx, subject, outcome.measurement, outcome.info?.tags ?? {});
    relearnTrack(tx, subject.ownerId, subject.trackId, at);
    complete(tx, subject, at);
    requestRendition(tx, deps, subject.sha256, at);
    promisePlaces(tx, deps, subject.trackId, outcome.measurement, at);
  });
}

/** Promises to listen to music as a whole, where this server listens at all. */
function promisePlaces(
  tx: Db,
  { settings }: Pick<Deps, "settings">,
  trackId: string,
  { heard }: Measurement,
  at: number,
): void {
  if (heard && settings.analysisConcurrency > 0) promiseWhole(tx, trackId, at);
}

/** Writes the measurements on the version itself, unless it was deleted meanwhile. */
function storeMeasured(tx: Db, subject: queries.Subject, outcome: AnalysisOutcome, at: number): void {
  const isThere = updateVersion(tx, subject.versionId, { analysedAt: at });
  if (!isThere) return;
  if (outcome.info) putLyricsOfFile(tx, subject.versionId, outcome.info.tags.timedLyrics, at);
  requestCarrying(tx, subject.versionId, { isMissing: false }, at);
  if (!("measurement" in outcome)) return;
  queries.putAnalysis(tx, subject, outcome, at);
  putFaults(tx, subject.versionId, outcome.measurement.faults, at);
  storeRecording(tx, subject, outcome.measurement.recording);
}

/** A track shows the hash of the file that it plays once that was analysed. */
function showHash(tx: Db, { trackId, versionId, sha256 }: queries.Subject, current: queries.Subject): void {
  if (current.versionId === versionId) updateTrack(tx, trackId, { cid: sha256 });
}

/** The track may have gone to another account meanwhile. */
const asOwned = (analysed: queries.Subject, current = analysed): queries.Subject => ({
  ...analysed,
  ownerId: current.ownerId,
});

/** Writes what even a failed analysis knows: the hash of the bytes, and the file's own tags. */
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
  // Genres that the owner cleared also count as written by the owner.
  if (genres.length > 0 && !ownerFields.includes("genres"))
    writeTags(tx, ownerId, trackId, "genres", genres, "file");
}

/** Clears the measurements of another version once the active version's analysis has failed. */
function forgottenProfile(tx: Db, { trackId, versionId }: queries.Subject): TrackColumns {
  if (queries.analysisVersionOf(tx, trackId) === versionId) return {};
  queries.deleteVectors(tx, trackId);
  clearSuggestions(tx, trackId);
  return { bpm: null, key: null, durationSec: null };
}

/** Replaces the track's suggestions with those for this recording. */
function suggest(
  tx: Db,
  { trackId, ownerId, filename }: queries.Subject,
  analysis: Measurement,
  embedded: FileInfo["tags"],
): void {
  const { features, descriptors, heard } = analysis;
  const basis = { features, analysis, embedded, filename, descriptors, heard };
  const suggestions = suggestTags(basis, learntFor(tx, ownerId, trackId));
  replaceSuggestions(tx, trackId, suggestions, getLearner(tx, ownerId).modelVersion);
}

function complete(tx: Db, subject: queries.Subject, at: number): void {
  const { trackId, ownerId, versionId } = subject;
  const isFirst = queries.analysisVersionOf(tx, trackId) === null;
  updateTrack(tx, trackId, {
    analysisStatus: "completed",
    analysisCode: null,
    analysisReason: null,
    analysisVersionId: versionId,
  });
  const data = { trackId, activeVersionId: versionId, analysisStatus: "completed" };
  emit(tx, ownerId, "track.audio_profile_completed", data, at);
  requestRelating(tx, trackId, { isNew: isFirst }, at);
}
