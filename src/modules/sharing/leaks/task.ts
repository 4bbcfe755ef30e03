import type { ExcerptCodes, ExcerptPart, ExcerptPlace } from "../../../audio/fingerprint/excerpt.ts";
import type { WorkerPool } from "../../library/analysis/service.ts";

/** A file to decode. */
export type SoundFile = { path: string; ffmpegPath: string | undefined; selfCommand: readonly string[] };

/** A part of a sound, seconds. */
export type Span = { fromSec: number; toSec: number };

/** A recording of the library, by its codes. */
export type Stored = { recordingId: number; codes: Uint32Array };

/** What a thread is asked: for the codes of a file, for the recordings that parts of it are like, for what marks say, or for a listening test. */
export type LeakTask =
  | { kind: "codes"; file: SoundFile }
  | { kind: "find"; parts: readonly ExcerptPart[]; recordings: readonly Stored[] }
  | { kind: "sample"; file: SoundFile; span: Span }
  | {
      kind: "read";
      file: SoundFile;
      span: Span;
      original: (Span & { file: SoundFile }) | null;
      key: Uint8Array;
    };

/** The codes of a file, and how long it is as far as it was read. */
export type Coded = { codes: ExcerptCodes; durationSec: number };
/** Where parts of a sound are in a recording: those that are likelier than chance. */
export type Found = { recordingId: number; places: ExcerptPlace[] };
/** What a mark says of each bit of a code, where it was read. */
export type Reading = {
  soft: Float64Array;
  /** How much later the beginning of the part comes in its original, seconds; null when it was read without. */
  originalSec: number | null;
};
export type Readings = Reading[];

export type LeakOutcome = Coded | Found[] | Readings | Uint8Array<ArrayBuffer>;
export type LeakPool = WorkerPool<LeakTask, LeakOutcome>;
