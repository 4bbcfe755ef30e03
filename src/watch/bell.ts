import { type FSWatcher, watch as watchFolder } from "node:fs";

/**
 * Rings when the system says that something happened in the folder. That is only a hint: it says nothing through links and on
 * network drives, and may forget some.
 */
export function createBell({ folder, signal }: { folder: string; signal: AbortSignal }) {
  let [hasRung, wake] = [false, () => {}];
  const ring = () => {
    hasRung = true;
    wake();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watchFolder(folder, { recursive: true }, ring);
    watcher.on("error", ring);
  } catch {
    // It is looked through anyway.
  }
  signal.addEventListener("abort", ring);
  return {
    /** Resolves after `ms`, or when it rings, but not before `leastMs`. */
    wait: async (ms: number, leastMs: number) => {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(ms, leastMs));
        const soon = () => void setTimeout(resolve, signal.aborted ? 0 : leastMs);
        wake = () => {
          clearTimeout(timer);
          soon();
        };
        if (hasRung) wake();
      });
      hasRung = false;
    },
    close: () => {
      signal.removeEventListener("abort", ring);
      watcher?.close();
    },
  };
}
