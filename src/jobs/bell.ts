/** Calls `run` once after `ms` and returns a function that cancels it. Injected so tests control the waiting. */
export type Timer = (run: () => void, ms: number) => () => void;

/** The timer of the system. */
export const systemTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** A signal to wait for. Any code may ring it; one waiter at a time. */
export type Bell = {
  /** Ends the current wait, or makes the next one end at once. */
  ring(): void;
  /** Resolves when rung (true) or after `ms` (false). */
  wait(ms: number): Promise<boolean>;
};

/** Returns a bell that has not been rung. */
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
