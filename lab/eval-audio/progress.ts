/** Tells on standard error how much of a long run is done. */
export type Progress = { step(): void };

const [EVERY_MS, MINUTE_MS] = [10_000, 60_000];

/** Starts counting. A line comes every ten seconds at most, with the time left at the rate so far. */
export function createProgress(total: number): Progress {
  const startedAt = performance.now();
  let toldAt = startedAt;
  let done = 0;
  return {
    step() {
      done++;
      const now = performance.now();
      if (now - toldAt < EVERY_MS && done < total) return;
      toldAt = now;
      const minutesLeft = (((now - startedAt) / done) * (total - done)) / MINUTE_MS;
      console.error(`${done} of ${total}, about ${minutesLeft.toFixed(1)} minutes left`);
    },
  };
}
