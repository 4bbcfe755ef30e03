/** The sample formats of files that tests write byte by byte. */
export type Depth = "s8" | "u8" | "s16" | "s24" | "s32" | "f32" | "f64";

const BYTES: Record<Depth, number> = { s8: 1, u8: 1, s16: 2, s24: 3, s32: 4, f32: 4, f64: 8 };

type PutSample = (view: DataView, at: number, sample: number, isLittleEndian: boolean) => void;

const PUT: Record<Depth, PutSample> = {
  u8: (view, at, sample) => view.setUint8(at, Math.round(sample * 128) + 128),
  s8: (view, at, sample) => view.setInt8(at, Math.round(sample * 128)),
  s16: (view, at, sample, le) => view.setInt16(at, Math.round(sample * 0x8000), le),
  s24: (view, at, sample, le) => putInt24(view, at, Math.round(sample * 0x80_0000), le),
  s32: (view, at, sample, le) => view.setInt32(at, Math.round(sample * 0x8000_0000), le),
  f32: (view, at, sample, le) => view.setFloat32(at, sample, le),
  f64: (view, at, sample, le) => view.setFloat64(at, sample, le),
};

/** Stores samples of -1 to 1 in `depth`. */
function packSamples(samples: readonly number[], depth: Depth, isLittleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(samples.length * BYTES[depth]);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, i) => {
    PUT[depth](view, i * BYTES[depth], sample, isLittleEndian);
  });
  return bytes;
}

function putInt24(view: DataView, at: number, value: number, isLittleEndian: boolean): void {
  const parts = [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
  for (const [i, part] of (isLittleEndian ? parts : parts.reverse()).entries()) view.setUint8(at + i, part);
}

type Wave = {
  depth: Depth;
  channels?: number;
  sampleRateHz?: number;
  samples: readonly number[];
  /** The size that the data chunk claims, if not the true one. */
  claimedBytes?: number;
  isExtensible?: boolean;
  isRf64?: boolean;
};

/** Writes a WAV file. */
export function wavBytes(wave: Wave): Uint8Array {
  const { depth, channels = 1, sampleRateHz = 8000, samples } = wave;
  const data = packSamples(samples, depth, true);
  const tag = depth.startsWith("f") ? 3 : 1;
  const fmt = new DataView(new ArrayBuffer(wave.isExtensible ? 40 : 16));
  fmt.setUint16(0, wave.isExtensible ? 0xfffe : tag, true);
  fmt.setUint16(2, channels, true);
  fmt.setUint32(4, sampleRateHz, true);
  fmt.setUint32(8, sampleRateHz * channels * BYTES[depth], true);
  fmt.setUint16(12, (channels * BYTES[depth]) & 0xffff, true);
  fmt.setUint16(14, BYTES[depth] * 8, true);
  if (wave.isExtensible) {
    fmt.setUint16(16, 22, true);
    fmt.setUint16(18, BYTES[depth] * 8, true);
    const guid = [tag, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
    guid.forEach((byte, i) => {
      fmt.setUint8(24 + i, byte);
    });
  }
  const ds64 = new DataView(new ArrayBuffer(28));
  ds64.setBigUint64(8, BigInt(data.length), true);
  const dataSize = wave.isRf64 ? 0xffff_ffff : (wave.claimedBytes ?? data.length);
  const chunks = [
    ...(wave.isRf64 ? [littleChunk("ds64", bytesOf(ds64))] : []),
    littleChunk("JUNK", ascii("odd")),
    littleChunk("fmt ", bytesOf(fmt)),
    littleChunk("data", data, dataSize),
  ];
  return concat([ascii(wave.isRf64 ? "RF64" : "RIFF"), uint32(0xffff_ffff, true), ascii("WAVE"), ...chunks]);
}

/** Writes an AIFF file, or an AIFF-C one when `compression` is given. */
export function aiffBytes(wave: Wave & { compression?: string }): Uint8Array {
  const { depth, channels = 1, sampleRateHz = 8000, samples, compression } = wave;
  const comm = new DataView(new ArrayBuffer(compression ? 24 : 18));
  comm.setUint16(0, channels);
  comm.setUint32(2, samples.length / channels);
  comm.setUint16(6, BYTES[depth] * 8);
  const exponent = Math.floor(Math.log2(sampleRateHz));
  comm.setUint16(8, 16_383 + exponent);
  comm.setBigUint64(10, BigInt(sampleRateHz) << BigInt(63 - exponent));
  ascii(compression ?? "").forEach((byte, i) => {
    comm.setUint8(18 + i, byte);
  });
  const sound = concat([new Uint8Array(8), packSamples(samples, depth, compression === "sowt")]);
  // The version of AIFF-C since 1990.
  const version = compression ? [bigChunk("FVER", uint32(0xa280_5140, false))] : [];
  const chunks = [
    ...version,
    bigChunk("NAME", ascii("odd")),
    bigChunk("COMM", bytesOf(comm)),
    bigChunk("SSND", sound),
  ];
  const form = concat([ascii(compression ? "AIFC" : "AIFF"), ...chunks]);
  return concat([ascii("FORM"), uint32(form.length, false), form]);
}

/** Returns a sine of 440 Hz at half amplitude. */
export function tone(sampleRateHz: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / sampleRateHz));
}

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const bytesOf = (view: DataView): Uint8Array => new Uint8Array(view.buffer);

function uint32(value: number, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value, isLittleEndian);
  return bytesOf(view);
}

const padded = (body: Uint8Array): Uint8Array[] => [body, new Uint8Array(body.length % 2)];

const littleChunk = (id: string, body: Uint8Array, size = body.length): Uint8Array =>
  concat([ascii(id), uint32(size, true), ...padded(body)]);

const bigChunk = (id: string, body: Uint8Array): Uint8Array =>
  concat([ascii(id), uint32(body.length, false), ...padded(body)]);
