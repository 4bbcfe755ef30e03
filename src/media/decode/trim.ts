/**
 * Skips `skipFrames` at the start of interleaved blocks and stops after the next `keepFrames` (Infinity: no limit).
 * Encoders add silence before and after the sound to fill their blocks, and record how much.
 */
export function* trimFrames(
  blocks: Iterable<Float32Array>,
  channels: number,
  skipFrames: number,
  keepFrames: number,
): Generator<Float32Array> {
  let skip = skipFrames * channels;
  let keep = keepFrames * channels;
  for (const block of blocks) {
    const start = Math.min(skip, block.length);
    skip -= start;
    const kept = block.subarray(start, Math.min(block.length, start + keep));
    keep -= kept.length;
    if (kept.length > 0) yield kept;
  }
}
