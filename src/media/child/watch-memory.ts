import { readFileSync } from "node:fs";

const INTERVAL_MS = 200;

/**
 * Calls `onExceeded` once when the process uses more than `limitBytes` of memory. Checks five times per second on
 * systems with `/proc`; elsewhere it does nothing.
 *
 * @returns A function that ends the watch.
 */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * Returns the resident memory of a process in bytes; undefined when it has ended or the system does not report it.
 */
function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
