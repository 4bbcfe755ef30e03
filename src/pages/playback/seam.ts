/** What the page asks of the joiner. A lane is the number of a player; times are frames of the audio context. */
export type Ask =
  /** Lets the lane be heard as it plays, and nothing else. */
  | { lane: number; endAt?: undefined }
  /** Lets the lane be heard when the other has ended. The page knows about when it ends, how long it is, and about when this one began. */
  | { lane: number; endAt: number; begunAt: number; frames: number };

/** From now on, the lane is heard so much later than it plays. */
export type Joined = { lane: number; lateSec: number };

/** Frames that a worklet gets at once. */
export const BLOCK = 128;
/** What plays is heard so many frames late, because an end shows only in the frames after it. */
export const LOOK = 3 * BLOCK;
