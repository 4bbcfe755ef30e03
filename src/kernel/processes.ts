import { getPriority, setPriority } from "node:os";
import { SECOND_MS } from "./time.ts";

/**
 * True when the process that made something at `changedAt` (epoch ms) has ended: no process `pid` runs, or it was
 * an earlier process with the same number as this one. In a container every start has number 1.
 */
export function isAbandoned(pid: number, changedAt: number): boolean {
  if (pid !== process.pid) return !isRunning(pid);
  return changedAt < Date.now() - process.uptime() * SECOND_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only checks
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Lowers the priority of process `pid`, or on Linux with 0, of this thread and of what it starts.
 *
 * @param niceness 1 to 19, the lowest priority. What runs at a lower one already keeps it.
 */
export function giveWay(pid: number, niceness: number): void {
  try {
    if (getPriority(pid) < niceness) setPriority(pid, niceness);
  } catch {
    // The process has already ended, or the system forbids the change. Then it keeps its priority.
  }
}
