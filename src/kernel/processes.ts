import { SECOND_MS } from "./time.ts";

/**
 * True when what process `pid` made at `changedAt` (epoch ms) has nobody any more: that process is gone, or it was an
 * earlier one with this one's number, as in a container, where every start is number 1.
 */
export function isAbandoned(pid: number, changedAt: number): boolean {
  if (pid !== process.pid) return !isRunning(pid);
  return changedAt < Date.now() - process.uptime() * SECOND_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only asks
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
