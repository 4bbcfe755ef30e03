/** How strong each degree of the chromatic scale is in a key, tonic first. */
export type KeyProfile = { major: readonly number[]; minor: readonly number[] };

/** Tone profiles that vote on the key; each was measured on, or made for, a different kind of music. */
export const KEY_PROFILES: readonly KeyProfile[] = [
  // Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm", 2013.
  {
    major: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
    minor: [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
  },
  // Temperley, "What's key for key? The Krumhansl-Schmuckler algorithm reconsidered", 1999 (corpus form, 2001).
  {
    major: [0.748, 0.06, 0.488, 0.082, 0.67, 0.46, 0.096, 0.715, 0.104, 0.366, 0.057, 0.4],
    minor: [0.712, 0.084, 0.474, 0.618, 0.049, 0.46, 0.105, 0.747, 0.404, 0.067, 0.133, 0.33],
  },
  // Faraldo et al., "A multi-profile method for key estimation in EDM", 2017 (the gated profile).
  {
    major: [1, 0, 0.42, 0, 0.53, 0.37, 0, 0.77, 0, 0.38, 0.21, 0.3],
    minor: [1, 0, 0.36, 0.39, 0, 0.38, 0, 0.74, 0.27, 0, 0.42, 0.23],
  },
  // The scale itself, triad tones first; natural minor, with a little of the raised seventh.
  {
    major: [1, 0, 0.6, 0, 0.8, 0.6, 0, 0.9, 0, 0.6, 0, 0.5],
    minor: [1, 0, 0.6, 0.8, 0, 0.6, 0, 0.9, 0.6, 0, 0.5, 0.15],
  },
];
