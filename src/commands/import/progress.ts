import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";

const EVERY_MS = 5 * SECOND_MS;
const MEGABYTE = 1e6;

/** Says every few seconds how far an import is: files, bytes, rate and time left. */
export function createProgress(files: number, bytes: number, say: (text: string) => void) {
  const startedAt = performance.now();
  let [doneFiles, doneBytes, saidAt] = [0, 0, startedAt];
  const seconds = () => (performance.now() - startedAt) / SECOND_MS;
  return {
    seconds,
    done: (sizeBytes: number) => {
      doneFiles++;
      doneBytes += sizeBytes;
      if (performance.now() - saidAt < EVERY_MS) return;
      saidAt = performance.now();
      const share = bytes > 0 ? doneBytes / bytes : doneFiles / Math.max(1, files);
      const leftMs = share > 0 ? (seconds() * SECOND_MS * (1 - share)) / share : 0;
      const rate = doneBytes / MEGABYTE / seconds();
      say(
        `${doneFiles} of ${files} files, ${Math.round(doneBytes / MEGABYTE)} of ${Math.round(bytes / MEGABYTE)} MB, ` +
          `${(doneFiles / seconds()).toFixed(1)} files and ${rate.toFixed(1)} MB per second, ${timeOf(leftMs)} left`,
      );
    },
  };
}

function timeOf(ms: number): string {
  return ms < 2 * MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / MINUTE_MS)} min`;
}
