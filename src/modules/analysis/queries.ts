import { and, asc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { analyses, tracks, trackVectors, versions } from "../../../db/schema.ts";
import { type OwnedTrack, updateTrack } from "../catalog/service.ts";
import type { AnalysisFailure, FileInfo, Measurement } from "./task.ts";
import { ANALYZER_VERSION } from "./task.ts";

/** A track and the audio file of its active version: what one analysis is about. */
export type Subject = {
  trackId: string;
  ownerId: string;
  versionId: string;
  sha256: string;
  /** The version's name: the uploaded file's, unless renamed. */
  filename: string;
};

/** Learned models may later put vectors beside these; the two are never compared. */
const VECTOR_PROVIDER = "descriptors";

/** Returns what an analysis of the track would be about; undefined when there is no such track. */
export function findSubject(db: Db, trackId: string): Subject | undefined {
  return db
    .select({
      trackId: tracks.id,
      ownerId: tracks.ownerId,
      versionId: versions.id,
      sha256: versions.sha256,
      filename: versions.name,
    })
    .from(tracks)
    .innerJoin(versions, eq(versions.id, tracks.activeVersionId))
    .where(eq(tracks.id, trackId))
    .get();
}

/** Moves a track to a state without a reason: `pending` or `processing`. */
export function setStatus(tx: Db, trackId: string, analysisStatus: "pending" | "processing"): void {
  updateTrack(tx, trackId, { analysisStatus, analysisCode: null, analysisReason: null });
}

/** Notes why a track's analysis failed. */
export function setFailed(tx: Db, trackId: string, { code, reason }: AnalysisFailure): void {
  updateTrack(tx, trackId, { analysisStatus: "failed", analysisCode: code, analysisReason: reason });
}

/** Returns the key of a track's cover; null when it has none. */
export function coverOf(db: Db, trackId: string): string | null {
  return db.select({ cover: tracks.cover }).from(tracks).where(eq(tracks.id, trackId)).get()?.cover ?? null;
}

/** Returns ids of analysed tracks without a cover, at most `limit` of those after `after`, in the order of ids. */
export function listCoverless(db: Db, after: string, limit: number): string[] {
  const rows = db
    .select({ id: tracks.id })
    .from(tracks)
    .where(
      and(
        gt(tracks.id, after),
        isNull(tracks.cover),
        inArray(tracks.analysisStatus, ["completed", "failed"]),
      ),
    )
    .orderBy(asc(tracks.id))
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}

/** Returns a track's name; empty when there is no such track. */
export function nameOf(db: Db, trackId: string): string {
  return db.select({ name: tracks.name }).from(tracks).where(eq(tracks.id, trackId)).get()?.name ?? "";
}

/** Returns the columns that the owner wrote. */
export function ownerFieldsOf(tx: Db, trackId: string): readonly string[] {
  return (
    tx.select({ fields: tracks.ownerFields }).from(tracks).where(eq(tracks.id, trackId)).get()?.fields ?? []
  );
}

/** Returns the version whose measurements the profile shows; null before the first analysis. */
export function analysisVersionOf(tx: Db, trackId: string): string | null {
  const row = tx.select({ id: tracks.analysisVersionId }).from(tracks).where(eq(tracks.id, trackId)).get();
  return row?.id ?? null;
}

/** Writes a version's analysis over any earlier one. */
export function putAnalysis(tx: Db, subject: Subject, result: Result, at: number): void {
  const row = { ...analysisColumns(result), trackId: subject.trackId, analysedAt: at };
  tx.insert(analyses)
    .values({ versionId: subject.versionId, ...row })
    .onConflictDoUpdate({ target: analyses.versionId, set: row })
    .run();
}

type Result = { info: FileInfo | null; measurement: Measurement };

function analysisColumns({ info, measurement }: Result) {
  const { loudness, tempo, key } = measurement;
  return {
    ...loudness,
    analyzerVersion: ANALYZER_VERSION,
    durationSec: measurement.durationSec,
    sampleRateHz: measurement.sampleRateHz,
    channels: measurement.channels,
    codec: info?.codec ?? null,
    lossless: info?.lossless ?? null,
    bitDepth: info?.bitDepth ?? null,
    bitrateBps: info?.bitrateBps ?? null,
    truncated: measurement.isTruncated,
    bpm: tempo.bpm,
    bpmConfidence: tempo.confidence,
    bpmCandidates: tempo.candidates,
    key: key.name,
    keyConfidence: key.confidence,
    tuningCents: key.tuningCents,
    features: measurement.features,
    embedded: info?.tags ?? {},
    waveform: Buffer.from(measurement.waveform.buffer),
  };
}

/** Puts a track in its place among others; silence has none. */
export function putVector(tx: Db, trackId: string, measurement: Measurement): void {
  const { descriptors, descriptorVersion } = measurement;
  deleteVector(tx, trackId);
  if (!descriptors) return;
  tx.insert(trackVectors)
    .values({
      trackId,
      provider: VECTOR_PROVIDER,
      version: descriptorVersion,
      dimensions: descriptors.length,
      embedding: Buffer.from(descriptors.buffer, descriptors.byteOffset, descriptors.byteLength),
    })
    .run();
}

/** Puts what a learned model makes of a track beside its place among others. */
export function putModelVector(
  tx: Db,
  trackId: string,
  { provider, version, vector }: { provider: string; version: string; vector: Float32Array },
): void {
  const row = { version, dimensions: vector.length, embedding: Buffer.from(vector.slice().buffer) };
  tx.insert(trackVectors)
    .values({ trackId, provider, ...row })
    .onConflictDoUpdate({ target: [trackVectors.trackId, trackVectors.provider], set: row })
    .run();
}

/** Forgets what learned models have made of a track. */
export function deleteModelVectors(tx: Db, trackId: string): void {
  const learned = and(eq(trackVectors.trackId, trackId), ne(trackVectors.provider, VECTOR_PROVIDER));
  tx.delete(trackVectors).where(learned).run();
}

/** Returns the analysed tracks without a vector of a model, but for those that a job was given up for. */
export function listUnheard(tx: Db, of: { provider: string; version: string; job: string }): string[] {
  return tx.$client
    .query<{ id: string }, { provider: string; version: string; job: string }>(
      `SELECT t.id FROM tracks t WHERE t.analysis_version_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM track_vectors v
                       WHERE v.track_id = t.id AND v.provider = $provider AND v.version = $version)
       AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.name = $job AND j.unique_key = t.id)`,
    )
    .all(of)
    .map(({ id }) => id);
}

/** Returns the measured length of a version, seconds; undefined before its analysis. */
export function measuredSeconds(db: Db, versionId: string): number | undefined {
  const row = db
    .select({ sec: analyses.durationSec })
    .from(analyses)
    .where(eq(analyses.versionId, versionId));
  return row.get()?.sec;
}

/** Takes a track's place among others away. */
export function deleteVector(tx: Db, trackId: string): void {
  const own = and(eq(trackVectors.trackId, trackId), eq(trackVectors.provider, VECTOR_PROVIDER));
  tx.delete(trackVectors).where(own).run();
}

/** Returns the ids of tracks that failed with a code. Served by index `tracks_unfinished`. */
export function failedWith(tx: Db, code: AnalysisFailure["code"]): string[] {
  return (
    tx
      .select({ id: tracks.id })
      .from(tracks)
      // The first condition is that of the partial index.
      .where(
        and(
          ne(tracks.analysisStatus, "completed"),
          eq(tracks.analysisStatus, "failed"),
          eq(tracks.analysisCode, code),
        ),
      )
      .all()
      .map(({ id }) => id)
  );
}

/** Returns pending tracks that no job waits for, and whether their last job was given up. */
export function listForgotten(tx: Db, jobName: string): { trackId: string; isGivenUp: boolean }[] {
  return tx.$client
    .query<{ trackId: string; givenUp: number }, { jobName: string }>(
      `SELECT id AS trackId, EXISTS (SELECT 1 FROM jobs WHERE name = $jobName AND unique_key = tracks.id
                                     AND state = 'dead') AS givenUp
       FROM tracks
       WHERE analysis_status <> 'completed' AND analysis_status = 'pending'
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE name = $jobName AND unique_key = tracks.id AND state = 'waiting')`,
    )
    .all({ jobName })
    .map(({ trackId, givenUp }) => ({ trackId, isGivenUp: givenUp === 1 }));
}

/**
 * True unless other audio than what was analysed waits for its analysis, or failed it. An older version that was made
 * the active one again keeps the analysis there is: none is under way.
 */
export function isOfActiveAudio({ activeVersionId, analysisVersionId, analysisStatus }: OwnedTrack): boolean {
  return analysisStatus === "completed" || analysisVersionId === activeVersionId;
}
