import { setImmediate } from "node:timers/promises";

/** Others wait at most about so long. */
const SLICE_MS = 10;

/** Divides work into slices, with other work between them. */
export function createSlices() {
  let beganAt = performance.now();
  let beforeMs = 0;
  const sliceMs = () => performance.now() - beganAt;
  return {
    /** Lets others work when this slice is over. Call it between steps. */
    breathe: async (): Promise<void> => {
      if (sliceMs() < SLICE_MS) return;
      beforeMs += sliceMs();
      await setImmediate();
      beganAt = performance.now();
    },
    /** How long the work itself took. */
    workMs: () => beforeMs + sliceMs(),
  };
}
