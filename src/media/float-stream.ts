import type { ByteSource } from "./child/child-output.ts";

/**
 * Yields the samples of a byte stream of 32-bit little-endian floats in whole frames of `channels`. Values that are
 * not finite (a float file may hold anything) become silence. A last, partial frame is dropped. Each yielded array
 * is valid until the next one is taken.
 *
 * @param rest Bytes that were already read.
 */
export async function* readFloats(
  reader: ByteSource,
  rest: Uint8Array,
  channels: number,
): AsyncGenerator<Float32Array> {
  const frameBytes = channels * 4;
  let pending = rest;
  for (;;) {
    const wholeBytes = pending.length - (pending.length % frameBytes);
    if (wholeBytes > 0) yield toFloats(pending.subarray(0, wholeBytes));
    const left = new Uint8Array(pending.subarray(wholeBytes));
    free(pending);
    const { done, value } = await reader.read();
    if (done || !value) return;
    pending = left.length === 0 ? value : new Uint8Array(Buffer.concat([left, value]));
  }
}

/** Gives memory back now: three hours of sound are four gigabytes, which the garbage collector lets pile up. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function toFloats(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  const samples = new Float32Array(
    aligned.buffer,
    aligned.byteOffset,
    aligned.length / Float32Array.BYTES_PER_ELEMENT,
  );
  for (let i = 0; i < samples.length; i += 1) {
    if (!Number.isFinite(samples[i])) samples[i] = 0;
  }
  return samples;
}
