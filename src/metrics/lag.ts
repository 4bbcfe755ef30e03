import { SECOND_MS } from "../kernel/time.ts";

const EVERY_MS = 250;
/** The worst of the last quarter to half minute is told: longer than Prometheus usually waits between two looks. */
const SPAN_MS = 15 * SECOND_MS;

/** How late timers are: the time that a request may wait for others to let go of the thread. */
export type Lag = { worst: () => number };

/** Begins to watch the event loop. Returns the worst delay of late, in seconds. */
export function createLag(): Lag {
  let expected = performance.now() + EVERY_MS;
  let spanEnds = performance.now() + SPAN_MS;
  let worst = 0;
  let worstBefore = 0;
  setInterval(() => {
    const at = performance.now();
    worst = Math.max(worst, at - expected);
    expected = at + EVERY_MS;
    if (at < spanEnds) return;
    worstBefore = worst;
    worst = 0;
    spanEnds = at + SPAN_MS;
  }, EVERY_MS).unref();
  return { worst: () => Math.max(worst, worstBefore, performance.now() - expected, 0) / SECOND_MS };
}
