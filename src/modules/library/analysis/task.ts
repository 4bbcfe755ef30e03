import type { AudioAnalysis } from "../../../audio/analyzer.ts";
import type { Section, Sound } from "../../../audio/fingerprint/sections.ts";
import type { MediaErrorCode } from "../../../media/media-error.ts";
import type { MediaProbe } from "../../../media/tags/probe.ts";
import type { NewRecording } from "../recordings/service.ts";
import type { WorkerPool } from "./worker-pool.ts";

/** Why an analysis failed, for programs; `tracks.analysis_code`. */
export type AnalysisCode = MediaErrorCode | "file_missing" | "analysis_failed";

/** A failure that a retry does not fix. `reason` is a sentence that the owner can act on. */
export type AnalysisFailure = { code: AnalysisCode; reason: string };

/** A file to analyse, in the form sent to a worker thread. */
export type AnalysisTask = {
  path: string;
  /** Undefined: use the built-in decoders. */
  ffmpegPath: string | undefined;
  selfCommand: readonly string[];
};

/** A file to listen to, without measuring it. */
export type ListenTask = AnalysisTask & { only: "ears" };

/** A file to listen to as a whole, passage by passage. */
export type HearWholeTask = AnalysisTask & { only: "places" };

/** A file in which faults, a structure and passages are looked for, and nothing else. */
export type CheckTask = AnalysisTask & { only: "faults" };

/** A sound that is not to be stored, of which a part is measured. */
export type ReferenceTask = AnalysisTask & { only: "reference"; fromSec: number; toSec: number };

/** What is measured of a sound that is not stored. */
export type MeasuredReference = Pick<
  AudioAnalysis,
  "loudness" | "tempo" | "key" | "features" | "descriptors" | "fingerprint"
> & {
  /** Of the whole file. */
  durationSec: number;
  /** The part that was measured. */
  fromSec: number;
  toSec: number;
  heard: Heard;
  /** Names of the tags that it suggests, the surest first. */
  tags: readonly string[];
};

/** The outcome of a {@link ReferenceTask}. */
export type ReferenceOutcome = { measured: MeasuredReference } | { failure: AnalysisFailure };

/** The thread that measures such sounds. */
export type ReferencePool = WorkerPool<ReferenceTask, ReferenceOutcome>;

/** Two recordings that a thread lays on each other. */
export type AlignTask = readonly [from: Sound, into: Sound];
/** The threads that do so, see `alignSections`. Null: the two cannot be compared. */
export type AlignPool = WorkerPool<AlignTask, readonly Section[] | null>;

/** What `createEars` heard; null for silence and sounds too short to be music. */
export type Heard = Float32Array<ArrayBuffer> | null;

/** What the sound may be sent back for. */
export type Faults = AudioAnalysis["faults"];

/** How the sound is counted and divided. */
export type Structure = AudioAnalysis["structure"];
/** What is measured in versions that were analysed before there was such a measure. */
export type Checked = { faults: Faults; structure: Structure; passages: AudioAnalysis["passages"] };

/** What a file's headers and tags say, without its picture. */
export type FileInfo = Omit<MediaProbe, "artwork">;

/** The measurements on the decoded sound. */
export type Measurement = Omit<AudioAnalysis, "peaks" | "fingerprint" | "levels" | "balanceDb"> & {
  /** What the recording is recognised and compared by. */
  recording: NewRecording;
  /** The file ended before its declared length. */
  isTruncated: boolean;
  heard: Heard;
  /** The version of the values in `descriptors`. */
  descriptorVersion: string;
};

/**
 * The outcome of a task. `info` is null when the file's headers and tags could not be read; `artwork` is the file's
 * embedded picture, unchanged.
 */
export type AnalysisOutcome = { info: FileInfo | null; artwork?: Uint8Array } & (
  | { measurement: Measurement }
  | { failure: AnalysisFailure }
);

/** Stored with each analysis. Raise it when measuring the same file again would give another result. */
export const ANALYZER_VERSION = "5";
