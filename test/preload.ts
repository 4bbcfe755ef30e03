import { setDefaultTimeout } from "bun:test";

/** A test or hook that takes longer hangs. Generous: on a busy machine, a song is analysed in a minute. */
const HANG_MS = 5 * 60_000;

setDefaultTimeout(HANG_MS);
