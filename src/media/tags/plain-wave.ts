/** Chunks that say nothing about the music. */
const SILENT: ReadonlySet<string> = new Set(["fmt ", "fact", "PEAK", "JUNK", "junk", "PAD ", "FLLR"]);

/**
 * Returns how long a WAV is that has nothing but its sound, in seconds; undefined for one that has tags, or that is not told
 * from its first bytes. No child process need read it.
 *
 * @param head The first bytes of the file.
 */
export function durationOfPlainWave(head: Uint8Array, sizeBytes: number): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const nameAt = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  if (nameAt(0) !== "RIFF" || nameAt(8) !== "WAVE") return undefined;
  let bytesPerSec = 0;
  let at = 12;
  for (; at + 20 <= head.length && SILENT.has(nameAt(at)); at = endOf(view, at))
    if (nameAt(at) === "fmt ") bytesPerSec = view.getUint32(at + 16, true);
  if (at + 8 > head.length || nameAt(at) !== "data" || bytesPerSec === 0) return undefined;
  const size = view.getUint32(at + 4, true);
  const isLast = at + 8 + size === sizeBytes || endOf(view, at) === sizeBytes;
  return isLast ? Math.round((size / bytesPerSec) * 1000) / 1000 : undefined;
}

/** Chunks begin at even places. */
function endOf(view: DataView, at: number): number {
  const size = view.getUint32(at + 4, true);
  return at + 8 + size + (size % 2);
}
