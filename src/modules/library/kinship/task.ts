import type { Fingerprint } from "../../../audio/fingerprint/fingerprint.ts";
import type { MissingBand } from "../../../audio/kinship/bands.ts";
import type { Coarse } from "../../../audio/kinship/runs.ts";
import type { WorkerPool } from "../analysis/service.ts";

/** A file to decode. */
export type SoundFile = {
  /** Of its bytes. */
  sha256: string;
  path: string;
  ffmpegPath: string | undefined;
  selfCommand: readonly string[];
};

/** The fingerprints of two recordings. */
export type Prints = { short: Fingerprint; long: Fingerprint };

/** What a thread is asked. */
export type RelateTask =
  | { kind: "lay"; pairs: readonly Prints[] }
  | { kind: "compare"; short: SoundFile; long: SoundFile; runs: Coarse["runs"] }
  | { kind: "sum"; mix: SoundFile; stems: readonly SoundFile[]; saysMissing?: boolean };

/** How two files compare once they were decoded; the shorter one lies in the longer one. */
export type Compared = {
  /** Of the shorter and the longer, seconds. */
  shortSec: number;
  longSec: number;
  /** How many constant offsets the shorter one has in the longer, and which share of it they hold. */
  offsets: number;
  share: number;
  /** Where the beginning of the first run is later in the longer one; null when nothing lines up. */
  offsetMs: number | null;
  /** Share of the moments tried that line up to the sample. */
  agreement: number;
  /** Of the line through them. */
  driftMsPerMinute: number;
  residualDb: number;
  /** Share of what is left that the shorter one holds. */
  heldByShort: number;
  nullShare: number;
  /** How likely a voice is in what is left, 0 to 1; null: nothing depends on it, or too little is left to tell. */
  residualVoice: number | null;
};

/** How the sum of stems compares with a mix. */
export type Summed = {
  residualDb: number;
  nullShare: number;
  /** Where the most of the mix is left; null: hardly anything is, the two do not line up, or it was not asked. */
  missing: MissingBand | null;
  /** How likely a voice is in what is left, 0 to 1; null: too little is left to tell. */
  residualVoice: number | null;
  /** They line up. */
  isPlaced: boolean;
};

export type RelateAnswer = Coarse[] | Compared | Summed;
export type RelatePool = WorkerPool<RelateTask, RelateAnswer>;

/** Raise it when comparing the same files again would give another verdict. */
export const KINSHIP_RULES = "1";
