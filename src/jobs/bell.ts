/** Calls `run` once after `ms` and returns what prevents it. Injected, so that tests own the waiting. */
export type Timer = (run: () => void, ms: number) => () => void;

/** The timer of the real world. */
export const systemTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Something to wait for that anybody may ring. One waiter at a time. */
export type Bell = {
  /** Ends the wait in progress, or the next one at once. */
  ring(): void;
  /** Resolves when rung (true) or after `ms` (false). */
  wait(ms: number): Promise<boolean>;
};

/** Returns a silent bell. */
export function createBell(timer: Timer = systemTimer): Bell {
  let isRung = false;
  let wakeUp: () => void = () => undefined;
  return {
    ring() {
      isRung = true;
      wakeUp();
    },
    async wait(ms) {
      if (!isRung)
        await new Promise<void>((resolve) => {
          const cancel = timer(resolve, ms);
          wakeUp = () => {
            cancel();
            resolve();
          };
        });
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
}
