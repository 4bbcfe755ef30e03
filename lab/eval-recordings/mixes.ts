import { DRUMS } from "../eval-audio/scales.ts";
import type { Remix } from "./remix-midi.ts";

/** Other mixes of a song. Each changes what a mixing engineer would change, and keeps every note in place. */
export const MIXES: Readonly<Record<string, Remix>> = {
  "softer drums": { velocity: (channel) => (channel === DRUMS ? 0.7 : 1) },
  "louder drums": { velocity: (channel) => (channel === DRUMS ? 1.3 : 1) },
  "no drums": { velocity: (channel) => (channel === DRUMS ? 0 : 1) },
  "other balance": { velocity: (channel) => (channel === DRUMS || channel % 2 === 0 ? 1.2 : 0.6) },
  "another lead": { program: (channel, program) => (channel === 0 ? (program + 8) % 128 : program) },
  "other instruments": { program: (channel, program) => (program + 3 + channel) % 128 },
};
