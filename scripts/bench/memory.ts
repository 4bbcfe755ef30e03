import { readFileSync, writeFileSync } from "node:fs";

/** True where the system reports the memory of a process (Linux). */
export const canMeasureMemory = process.platform === "linux";

/** Returns the resident memory of a process in MB of 10^6 bytes: now, and the peak since {@link forgetPeak}. */
export function residentMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1e6;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Resets a process's peak to its current memory. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
