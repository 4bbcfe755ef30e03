/** Ends an exchange that takes too long, in all or without a sign of life. */
export type Clock = {
  /** Aborts when the time is over, or with the caller's signal and reason. */
  signal: AbortSignal;
  /** Begins to wait for a sign of life; any wait before is over. */
  wait: () => void;
  /** Nothing is waited for now: the one who reads is busy. */
  pause: () => void;
  /** Ends all waiting. */
  stop: () => void;
};

/** @param late Makes the reason that an exchange out of time is aborted with. */
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

/** Resolves or rejects with `work`, or rejects with the signal's reason when that comes first. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
