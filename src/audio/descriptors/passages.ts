import { FRAME_DESCRIPTORS } from "./descriptors.ts";

/** Change it whenever passages change their meaning; those of different versions must not be compared. */
export const PASSAGE_VERSION = "dubplate-passages-1";
/** Seconds of a passage; a last one counts from half of that. */
export const PASSAGE_SEC = 10;
/** Passages beyond 2 h 50 min are left out. */
export const MAX_PASSAGES = 1024;
/** Numbers of a passage. */
export const PASSAGE_DIMENSIONS = FRAME_DESCRIPTORS;
