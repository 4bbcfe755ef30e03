/** Limits how much work runs at once; the rest waits in line. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a gate that runs at most `max` pieces of work at once. */
export function createGate(max: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === max) await new Promise<void>((admit) => waiting.push(admit));
    else running++;
    try {
      return await work();
    } finally {
      // The longest waiting work takes over the place; if nothing waits, the place becomes free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
