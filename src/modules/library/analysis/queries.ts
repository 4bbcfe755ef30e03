import { and, asc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { analyses, type LibraryId, tracks, trackVectors, versions } from "../../../../db/schema.ts";
import { EARS_VERSION } from "../../../ears/tags.ts";
import { type OwnedTrack, updateTrack } from "../catalog/service.ts";
import { dropPassages, putPassages, putSound } from "../sounds/service.ts";
import { deleteHeardPassages } from "./places/store.ts";
import type { AnalysisFailure, FileInfo, Heard, Measurement, Structure } from "./task.ts";
import { ANALYZER_VERSION } from "./task.ts";

/** The subject of one analysis: a track and the audio file of its active version, or another version of it. */
export type Subject = {
  trackId: string;
  ownerId: LibraryId;
  versionId: string;
  sha256: string;
  /** The version's name: the uploaded file's, unless renamed. */
  filename: string;
  /** True: the version is measured for itself, and the track keeps its values, its tags and its state. */
  isVersionOnly?: true;
};

/** Others may store vectors beside these; vectors of different providers are never compared. */
const VECTOR_PROVIDER = "descriptors";
const EARS_PROVIDER = "ears";

const SUBJECT = {
  trackId: tracks.id,
  ownerId: tracks.ownerId,
  versionId: versions.id,
  sha256: versions.sha256,
  filename: versions.name,
};

/** Returns the subject of an analysis of the track, or undefined when there is no such track. */
export function findSubject(db: Db, trackId: string): Subject | undefined {
  return db
    .select(SUBJECT)
    .from(tracks)
    .innerJoin(versions, eq(versions.id, tracks.activeVersionId))
    .where(eq(tracks.id, trackId))
    .get();
}

/** Returns the subject of an analysis of one version alone; undefined when it was deleted or has been measured. */
export function findVersionSubject(db: Db, versionId: string): Subject | undefined {
  const row = db
    .select(SUBJECT)
    .from(versions)
    .innerJoin(tracks, eq(tracks.id, versions.trackId))
    .leftJoin(analyses, eq(analyses.versionId, versions.id))
    .where(and(eq(versions.id, versionId), isNull(analyses.versionId)))
    .get();
  return row && { ...row, isVersionOnly: true };
}

/** How far the analysis of a version is; `triedAt` is when the last one ended, also one that failed. */
export type VersionProgress = {
  trackId: string;
  triedAt: number | null;
  isMeasured: boolean;
  isUnderWay: boolean;
};

/** Returns how far the analysis of a version is; undefined when there is no such version. */
export function findProgress(db: Db, versionId: string, jobName: string): VersionProgress | undefined {
  const row = db.$client
    .query<Record<"isMeasured" | "isUnderWay", 0 | 1> & ProgressRow, Record<string, string>>(
      `SELECT v.track_id AS trackId, v.analysed_at AS triedAt,
         EXISTS (SELECT 1 FROM analyses WHERE version_id = v.id) AS isMeasured,
         (t.active_version_id = v.id AND t.analysis_status IN ('pending', 'processing'))
           OR EXISTS (SELECT 1 FROM jobs WHERE name = $jobName AND unique_key = v.id AND state = 'waiting')
           OR EXISTS (SELECT 1 FROM jobs WHERE name = $jobName AND unique_key = v.id AND state = 'running') AS isUnderWay
       FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = $versionId`,
    )
    .get({ versionId, jobName });
  return row ? { ...row, isMeasured: row.isMeasured === 1, isUnderWay: row.isUnderWay === 1 } : undefined;
}

type ProgressRow = Pick<VersionProgress, "trackId" | "triedAt">;

/** Returns versions whose own analysis was given up without a word, because the program ended each time. */
export function listGivenUpVersions(tx: Db, jobName: string): string[] {
  return tx.$client
    .query<{ id: string }, { jobName: string }>(
      `SELECT v.id FROM jobs j JOIN versions v ON v.id = j.unique_key
       WHERE j.name = $jobName AND j.state = 'dead' AND coalesce(v.analysed_at, 0) < j.created_at`,
    )
    .all({ jobName })
    .map(({ id }) => id);
}

/** Moves a track to a state without a reason: `pending` or `processing`. */
export function setStatus(tx: Db, trackId: string, analysisStatus: "pending" | "processing"): void {
  updateTrack(tx, trackId, { analysisStatus, analysisCode: null, analysisReason: null });
}

/** Stores why a track's analysis failed. */
export function setFailed(tx: Db, trackId: string, { code, reason }: AnalysisFailure): void {
  updateTrack(tx, trackId, { analysisStatus: "failed", analysisCode: code, analysisReason: reason });
}

/** Returns the key of a track's cover, or null without a cover. */
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

/** Stores how a version that was measured before is counted and divided. */
export function putStructure(tx: Db, versionId: string, structure: Structure): void {
  tx.update(analyses).set({ structure }).where(eq(analyses.versionId, versionId)).run();
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
    structure: measurement.structure,
    embedded: embeddedOf(info),
    waveform: Buffer.from(measurement.waveform.buffer),
  };
}

/** When the lines of the words are sung has a table of its own. */
function embeddedOf(info: FileInfo | null) {
  const { timedLyrics: _, ...tags } = info?.tags ?? {};
  return tags;
}

/** Stores a track's descriptors, and what the ears heard in it; silence has neither. */
export function putVectors(tx: Db, trackId: string, measurement: Measurement): void {
  const { descriptors, descriptorVersion, heard } = measurement;
  dropVectors(tx, trackId);
  if (descriptors) {
    putPassages(tx, trackId, measurement.passages);
    putVector(tx, { trackId, provider: VECTOR_PROVIDER, version: descriptorVersion }, descriptors);
    putEars(tx, trackId, heard);
  }
  putSound(tx, trackId);
}

/** Says that the ears have listened and heard no music. Readers leave out vectors of one number. */
const NOTHING_HEARD = new Float32Array(1);

/** Stores what the ears heard in a track. */
export function putHeard(tx: Db, trackId: string, heard: Heard): void {
  putEars(tx, trackId, heard);
  putSound(tx, trackId);
}

function putEars(tx: Db, trackId: string, heard: Heard): void {
  putVector(tx, { trackId, provider: EARS_PROVIDER, version: EARS_VERSION }, heard ?? NOTHING_HEARD);
}

function putVector(
  tx: Db,
  key: Pick<typeof trackVectors.$inferInsert, "trackId" | "provider" | "version">,
  values: Float32Array,
): void {
  const row = {
    version: key.version,
    dimensions: values.length,
    embedding: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
  };
  tx.insert(trackVectors)
    .values({ ...key, ...row })
    .onConflictDoUpdate({ target: [trackVectors.trackId, trackVectors.provider], set: row })
    .run();
}

/** Deletes a track's descriptors and what the ears heard in it. */
export function deleteVectors(tx: Db, trackId: string): void {
  dropVectors(tx, trackId);
  dropPassages(tx, trackId);
  putSound(tx, trackId);
}

function dropVectors(tx: Db, trackId: string): void {
  deleteHeardPassages(tx, trackId);
  const own = inArray(trackVectors.provider, [VECTOR_PROVIDER, EARS_PROVIDER]);
  tx.delete(trackVectors)
    .where(and(eq(trackVectors.trackId, trackId), own))
    .run();
}

/** Returns the ids of tracks that failed with a code. Served by index `tracks_unfinished`. */
export function failedWith(tx: Db, code: AnalysisFailure["code"]): string[] {
  return (
    tx
      .select({ id: tracks.id })
      .from(tracks)
      // The first condition repeats that of the partial index.
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

/** Returns the tracks that are marked as processed while their job does not run. */
export function listStopped(tx: Db, jobName: string): string[] {
  return tx.$client
    .query<{ id: string }, { jobName: string }>(
      `SELECT id FROM tracks
       WHERE analysis_status <> 'completed' AND analysis_status = 'processing'
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE name = $jobName AND unique_key = tracks.id AND state = 'running')`,
    )
    .all({ jobName })
    .map(({ id }) => id);
}

/** Returns pending tracks without a waiting job, and whether their last job was given up. */
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
 * False when the active audio differs from the analysed audio and its analysis is pending or failed. An older version
 * that was made active again keeps the existing analysis, because no analysis is under way.
 */
export function isOfActiveAudio({ activeVersionId, analysisVersionId, analysisStatus }: OwnedTrack): boolean {
  return analysisStatus === "completed" || analysisVersionId === activeVersionId;
}
