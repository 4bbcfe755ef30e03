import { readFileSync, writeFileSync } from "node:fs";

/** True where the system tells what memory a process has (Linux). */
export const canMeasureMemory = process.platform === "linux";

/** Resident memory of a process, MB of 10^6 bytes: now, and the most since {@link forgetPeak}. */
export function residentMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1e6;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Makes the memory that a process has now its peak. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
