/** How the samples of a WAV stream are. */
export type WavShape = { sampleRateHz: number; channels: number; bits: 16 | 24 | 32; isFloat: boolean };

const SIZE_UNKNOWN = 0xffff_ffff;

/** Returns the head of a WAV stream of unknown length. */
export function wavHead({ sampleRateHz, channels, bits, isFloat }: WavShape): Uint8Array {
  const head = Buffer.alloc(44);
  const frameBytes = (channels * bits) / 8;
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(SIZE_UNKNOWN, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(isFloat ? 3 : 1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRateHz, 24);
  head.writeUInt32LE(sampleRateHz * frameBytes, 28);
  head.writeUInt16LE(frameBytes, 32);
  head.writeUInt16LE(bits, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(SIZE_UNKNOWN, 40);
  return head;
}
