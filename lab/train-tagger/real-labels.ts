/** Known tags of real music that is not used for training, by package, from its authors' notes and file names. */
export type RealLabel = {
  /** Part of the path. */
  path: RegExp;
  has: readonly string[];
  hasNot: readonly string[];
};

const NO_BAND = ["Rock", "Jazz", "Distorted Guitar"];

/** The first match decides; files without a match are left out. Tags named on neither side are not judged. */
export const REAL_LABELS: readonly RealLabel[] = [
  // Folk instruments by its name; strings are not certain.
  { path: /wesnoth.*traveling_minstrels/, has: [], hasNot: ["Electronic", "Synth", ...NO_BAND] },
  // Sampled orchestras throughout.
  { path: /wesnoth/, has: ["Orchestral", "Strings"], hasNot: ["Electronic", "Synth", "Ambient", ...NO_BAND] },
  // Electronic music of one author, synthesisers throughout.
  { path: /singularity\/music/, has: ["Electronic", "Synth"], hasNot: ["Folk", "Woodwinds", ...NO_BAND] },
  // Slow industrial and space ambient.
  { path: /warzone2100/, has: ["Electronic", "Ambient", "Synth"], hasNot: ["Folk", "Woodwinds", ...NO_BAND] },
  // Stems of metal songs: the guitar alone, and everything else.
  {
    path: /fretsonfire.*guitar\.ogg/,
    has: ["Distorted Guitar"],
    hasNot: ["Strings", "Woodwinds", "Orchestral"],
  },
  {
    path: /fretsonfire.*song\.ogg/,
    has: ["Rock", "Drums"],
    hasNot: ["Strings", "Orchestral", "Ambient", "Folk"],
  },
  // A tracker module whose samples are named: bdrum, snare, hi, pad, loop, chord, synth.
  {
    path: /frozen-mainzik-2p/,
    has: ["Electronic", "Synth", "Drums"],
    hasNot: ["Orchestral", "Strings", ...NO_BAND],
  },
];

/** Shorter files are stings or silence, which get no suggestions. */
export const LEAST_SECONDS = 12;
