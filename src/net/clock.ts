/** Ends an exchange that takes too long in total or stays silent too long. */
export type Clock = {
  /** Aborts when the time has run out, or when the caller's signal aborts, with its reason. */
  signal: AbortSignal;
  /** Starts waiting for a sign of life. Ends any earlier wait. */
  wait: () => void;
  /** Pauses the wait while the reader is busy. */
  pause: () => void;
  /** Ends all waiting. */
  stop: () => void;
};

/** @param late Makes the abort reason for an exchange that ran out of time. */
export function startClock(
  caller: AbortSignal,
  { totalMs, idleMs }: { totalMs: number; idleMs: number },
  late: () => Error,
): Clock {
  const controller = new AbortController();
  const onAbort = () => controller.abort(caller.reason);
  if (caller.aborted) onAbort();
  else caller.addEventListener("abort", onAbort, { once: true });
  const expire = () => controller.abort(late());
  const total = setTimeout(expire, totalMs);
  let idle: ReturnType<typeof setTimeout> | undefined;
  const pause = () => clearTimeout(idle);
  return {
    signal: controller.signal,
    wait() {
      pause();
      idle = setTimeout(expire, idleMs);
    },
    pause,
    stop() {
      clearTimeout(total);
      pause();
      caller.removeEventListener("abort", onAbort);
    },
  };
}

/** Settles with `work`, or rejects with the signal's reason when it aborts first. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
