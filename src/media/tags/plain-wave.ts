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
  for (let at = 12; at + 20 <= head.length; ) {
    const [name, size] = [nameAt(at), view.getUint32(at + 4, true)];
    const end = at + 8 + size + (size % 2);
    if (name === "data") {
      const isLast = end === sizeBytes || at + 8 + size === sizeBytes;
      return isLast && bytesPerSec > 0 ? Math.round((size / bytesPerSec) * 1000) / 1000 : undefined;
    }
    if (!SILENT.has(name)) return undefined;
    if (name === "fmt ") bytesPerSec = view.getUint32(at + 16, true);
    at = end;
  }
  return undefined;
}
