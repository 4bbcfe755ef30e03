import type { AudioAnalysis } from "../../audio/analyzer.ts";
import type { MediaErrorCode } from "../../media/media-error.ts";
import type { MediaProbe } from "../../media/probe.ts";
import type { NewRecording } from "../recordings/service.ts";

/** Why an analysis failed, for programs; `tracks.analysis_code`. */
export type AnalysisCode = MediaErrorCode | "file_missing" | "analysis_failed";

/** A failure that trying again does not mend. `reason` is a sentence its owner can act on. */
export type AnalysisFailure = { code: AnalysisCode; reason: string };

/** A file to analyse, as a worker thread is told of it. */
export type AnalysisTask = {
  path: string;
  /** Undefined: the built-in decoders serve. */
  ffmpegPath: string | undefined;
  selfCommand: readonly string[];
};

/** What a file says of itself, but for the picture in it. */
export type FileInfo = Omit<MediaProbe, "artwork">;

/** What was measured on the decoded sound. */
export type Measurement = Omit<AudioAnalysis, "peaks" | "fingerprint" | "levels" | "balanceDb"> & {
  /** By what the recording is known again and compared. */
  recording: NewRecording;
  /** The file ended before its declared length. */
  isTruncated: boolean;
  /** What the values of `descriptors` mean. */
  descriptorVersion: string;
};

/**
 * What came of a task. `info` is null when the file's headers and tags could not be read; `artwork` is the file's own
 * picture, as it was found.
 */
export type AnalysisOutcome = { info: FileInfo | null; artwork?: Uint8Array } & (
  | { measurement: Measurement }
  | { failure: AnalysisFailure }
);

/** Stored with each analysis; raised when measuring the same file again would give something else. */
export const ANALYZER_VERSION = "2";
