/** Lets only so much work go on at once; the rest waits in line. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a gate for `max` pieces of work at once. */
export function createGate(max: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === max) await new Promise<void>((admit) => waiting.push(admit));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits longest takes the place over; with nobody there it is free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
