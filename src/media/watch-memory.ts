import { readFileSync } from "node:fs";

const INTERVAL_MS = 200;

/**
 * Calls `onExceeded` once when the process holds more than `limitBytes` of memory. Looks five times a
 * second, where the system has `/proc`; elsewhere it does nothing.
 *
 * @returns Ends the watch.
 */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Returns the resident memory of a process in bytes; undefined when it is gone or the system does not say. */
function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
