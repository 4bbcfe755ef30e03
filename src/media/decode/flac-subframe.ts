import { type BitReader, readBits, readSigned, readUnary } from "./bit-reader.ts";

// The code below indexes typed arrays only within the block size, hence `as number` on each read.

/** Thrown for a frame that breaks the format. The decoder continues with the next frame. */
export const BAD_FRAME: unique symbol = Symbol("bad FLAC frame");

const FIXED_COEFFICIENTS = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]] as const;

/**
 * Decodes one channel of one frame into `out`, whose length is the block size. Samples are integers of
 * `bitsPerSample` bits (33 for the side channel of 32-bit audio). Doubles hold them exactly, and also the
 * predictor's sums: at most 32 products of 15 and 33 bits.
 *
 * @throws BAD_FRAME for reserved values of the format, END_OF_BITS at the end of the file.
 * @see RFC 9639, section 9.2.
 */
export function decodeSubframe(bits: BitReader, out: Float64Array, bitsPerSample: number): void {
  if (readBits(bits, 1) !== 0) throw BAD_FRAME;
  const type = readBits(bits, 6);
  const wastedBits = readBits(bits, 1) === 1 ? readUnary(bits) + 1 : 0;
  const depth = bitsPerSample - wastedBits;
  if (depth < 1) throw BAD_FRAME;

  if (type === 0) out.fill(readSigned(bits, depth));
  else if (type === 1) readVerbatim(bits, out, depth);
  else if (type >= 8 && type <= 12) decodeFixed(bits, out, depth, type - 8);
  else if (type >= 32) decodeLinear(bits, out, depth, type - 31);
  else throw BAD_FRAME;

  if (wastedBits === 0) return;
  const scale = 2 ** wastedBits;
  for (let i = 0; i < out.length; i += 1) out[i] = (out[i] as number) * scale;
}

function readVerbatim(bits: BitReader, out: Float64Array, depth: number): void {
  for (let i = 0; i < out.length; i += 1) out[i] = readSigned(bits, depth);
}

function decodeFixed(bits: BitReader, out: Float64Array, depth: number, order: number): void {
  readWarmUp(bits, out, depth, order);
  readResidual(bits, out, order);
  predict(out, Float64Array.from(FIXED_COEFFICIENTS[order] ?? []), 0);
}

function decodeLinear(bits: BitReader, out: Float64Array, depth: number, order: number): void {
  readWarmUp(bits, out, depth, order);
  const precision = readBits(bits, 4) + 1;
  const shift = readSigned(bits, 5);
  if (precision === 16 || shift < 0) throw BAD_FRAME;
  const coefficients = new Float64Array(order);
  for (let i = 0; i < order; i += 1) coefficients[i] = readSigned(bits, precision);
  readResidual(bits, out, order);
  predict(out, coefficients, shift);
}

function readWarmUp(bits: BitReader, out: Float64Array, depth: number, order: number): void {
  if (order > out.length) throw BAD_FRAME;
  for (let i = 0; i < order; i += 1) out[i] = readSigned(bits, depth);
}

/**
 * Turns residuals into samples in place: each sample is its residual plus the weighted sum of the samples before
 * it.
 */
function predict(out: Float64Array, coefficients: Float64Array, shift: number): void {
  const order = coefficients.length;
  const scale = 2 ** -shift;
  for (let i = order; i < out.length; i += 1) {
    let sum = 0;
    for (let j = 0; j < order; j += 1) sum += (coefficients[j] as number) * (out[i - 1 - j] as number);
    out[i] = (out[i] as number) + Math.floor(sum * scale);
  }
}

/** @see RFC 9639, 9.2.7: partitions of Rice codes, each with its own parameter or stored uncoded. */
function readResidual(bits: BitReader, out: Float64Array, order: number): void {
  const method = readBits(bits, 2);
  if (method > 1) throw BAD_FRAME;
  const parameterBits = method === 0 ? 4 : 5;
  const partitions = 1 << readBits(bits, 4);
  const partitionLength = out.length / partitions;
  if (!Number.isInteger(partitionLength) || partitionLength < order) throw BAD_FRAME;

  for (let partition = 0; partition < partitions; partition += 1) {
    const start = partition === 0 ? order : partition * partitionLength;
    const end = (partition + 1) * partitionLength;
    const parameter = readBits(bits, parameterBits);
    if (parameter === (1 << parameterBits) - 1) readPlain(bits, out, start, end);
    else readRice(bits, out.subarray(start, end), parameter);
  }
}

function readPlain(bits: BitReader, out: Float64Array, start: number, end: number): void {
  const depth = readBits(bits, 5);
  for (let i = start; i < end; i += 1) out[i] = readSigned(bits, depth);
}

function readRice(bits: BitReader, out: Float64Array, parameter: number): void {
  const step = 2 ** parameter;
  for (let i = 0; i < out.length; i += 1) {
    const folded = readUnary(bits) * step + readBits(bits, parameter);
    // Folded: even numbers are positive, odd ones negative. `>> 1` would fail for numbers of more than 31 bits.
    out[i] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }
}
