/** Samples of a step; two steps make a level. */
export const STEP_SAMPLES = 55;
/** Levels a second of a stream at 22 050 Hz: one in 4.99 ms. */
export const LEVELS_PER_SECOND = 22_050 / (2 * STEP_SAMPLES);
/** Longest beginning of a recording that is kept. */
export const MAX_LEVELS = Math.round(300 * LEVELS_PER_SECOND);
