/** Synthesised signals with known answers. All are mono, linear, full scale 1, and the same on every call. */

/** Returns a sine of `seconds` at a peak amplitude of `amplitude`, starting at `phase` radians. */
export function sine(
  sampleRateHz: number,
  seconds: number,
  hz: number,
  amplitude = 0.5,
  phase = 0,
): Float32Array<ArrayBuffer> {
  const step = (2 * Math.PI * hz) / sampleRateHz;
  return fill(sampleRateHz, seconds, (i) => amplitude * Math.sin(step * i + phase));
}

/** Returns white noise, evenly distributed over -amplitude..amplitude; the same `seed` gives the same noise. */
export function noise(
  sampleRateHz: number,
  seconds: number,
  amplitude = 0.5,
  seed = 1,
): Float32Array<ArrayBuffer> {
  const random = seededRandom(seed);
  return fill(sampleRateHz, seconds, () => amplitude * (2 * random() - 1));
}

/** Returns digital silence. */
export function silence(sampleRateHz: number, seconds: number): Float32Array<ArrayBuffer> {
  return fill(sampleRateHz, seconds, () => 0);
}

/** The sixteenth steps of a four-beat bar on which each drum sounds. */
export type DrumPattern = { kick: readonly number[]; snare: readonly number[]; hat: readonly number[] };

/** A backbeat: kick on one and three, snare on two and four, hats in eighths. */
export const BACKBEAT: DrumPattern = { kick: [0, 8, 10], snare: [4, 12], hat: [0, 2, 4, 6, 8, 10, 12, 14] };
/** Four to the floor: kick on every beat, clap on two and four, hats between the beats. */
export const FOUR_TO_THE_FLOOR: DrumPattern = { kick: [0, 4, 8, 12], snare: [4, 12], hat: [2, 6, 10, 14] };

/** Returns a drum loop at exactly `bpm`: decaying sines for kicks, noise for snares and hats. */
export function drumLoop(
  sampleRateHz: number,
  seconds: number,
  bpm: number,
  pattern: DrumPattern = BACKBEAT,
): Float32Array<ArrayBuffer> {
  const out = silence(sampleRateHz, seconds);
  const stepSeconds = 15 / bpm;
  const drums = {
    kick: kick(sampleRateHz),
    snare: burst(sampleRateHz, 0.12, 0.4),
    hat: burst(sampleRateHz, 0.03, 0.2),
  };
  for (let step = 0; step * stepSeconds < seconds; step++)
    for (const drum of ["kick", "snare", "hat"] as const)
      if (pattern[drum].includes(step % 16))
        addAt(out, drums[drum], Math.round(step * stepSeconds * sampleRateHz));
  return out;
}

/** Returns four chords of a key, over and over: first, fourth, fifth and first degree; struck every half second. */
export function chordProgression(
  sampleRateHz: number,
  seconds: number,
  { tonic, minor, cents = 0 }: { tonic: number; minor: boolean; cents?: number },
): Float32Array<ArrayBuffer> {
  const out = silence(sampleRateHz, seconds);
  const scale = minor ? [0, 2, 3, 5, 7, 8, 10] : [0, 2, 4, 5, 7, 9, 11];
  const roots = [0, 3, 4, 0];
  const hz = (midi: number) => 440 * 2 ** ((midi - 69 + cents / 100) / 12);
  const degree = (index: number) => (scale[index % 7] as number) + 12 * Math.floor(index / 7);
  const tones = new Map<number, Float32Array>();
  const toneOf = (note: number) => {
    const made = tones.get(note) ?? tone(sampleRateHz, 0.5, hz(note));
    tones.set(note, made);
    return made;
  };
  for (let strike = 0; strike * 0.5 < seconds; strike++) {
    const root = roots[Math.floor(strike / 4) % 4] as number;
    const notes = [
      36 + tonic + (degree(root) % 12),
      ...[0, 2, 4].map((third) => 60 + tonic + degree(root + third)),
    ];
    for (const note of notes) addAt(out, toneOf(note), Math.round(strike * 0.5 * sampleRateHz));
  }
  return out;
}

/** Returns signals one after another. */
export function joined(...parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const out = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Returns channels of equal length as interleaved samples. */
export function interleaved(...channels: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0;
  const out = new Float32Array(frames * channels.length);
  for (const [index, channel] of channels.entries())
    for (let i = 0; i < frames; i++) out[i * channels.length + index] = channel[i] as number;
  return out;
}

/**
 * Returns the bytes of a WAV file: integer PCM of 16 or 24 bits, or 32-bit float.
 *
 * @param channels One array per channel, of equal length, linear; clipped at full scale unless float.
 */
export function wavBytes(
  channels: readonly Float32Array[],
  sampleRateHz: number,
  bitDepth: 16 | 24 | 32,
): Uint8Array<ArrayBuffer> {
  const samples = interleaved(...channels);
  const bytesPerSample = bitDepth / 8;
  const dataBytes = samples.length * bytesPerSample;
  const view = new DataView(new ArrayBuffer(44 + dataBytes));
  writeWavHeader(view, { channels: channels.length, sampleRateHz, bitDepth, dataBytes });
  for (let i = 0; i < samples.length; i++)
    writeSample(view, 44 + i * bytesPerSample, samples[i] as number, bitDepth);
  return new Uint8Array(view.buffer);
}

type WavFormat = { channels: number; sampleRateHz: number; bitDepth: 16 | 24 | 32; dataBytes: number };

function writeWavHeader(view: DataView, { channels, sampleRateHz, bitDepth, dataBytes }: WavFormat): void {
  const ascii = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  };
  const frameBytes = (channels * bitDepth) / 8;
  ascii(0, "RIFF");
  view.setUint32(4, 36 + dataBytes, true);
  ascii(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, bitDepth === 32 ? 3 : 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, bitDepth, true);
  ascii(36, "data");
  view.setUint32(40, dataBytes, true);
}

function writeSample(view: DataView, at: number, sample: number, bitDepth: 16 | 24 | 32): void {
  if (bitDepth === 32) {
    view.setFloat32(at, sample, true);
    return;
  }
  const full = 2 ** (bitDepth - 1);
  const value = Math.max(-full, Math.min(full - 1, Math.round(sample * full)));
  view.setInt16(at + bitDepth / 8 - 2, value >> (bitDepth - 16), true);
  if (bitDepth === 24) view.setUint8(at, value & 0xff);
}

function kick(sampleRateHz: number): Float32Array<ArrayBuffer> {
  return fill(sampleRateHz, 0.15, (i) => {
    const t = i / sampleRateHz;
    return 0.7 * Math.exp(-t * 25) * Math.sin(2 * Math.PI * (55 * t + 2 * (1 - Math.exp(-t * 40))));
  });
}

function burst(sampleRateHz: number, seconds: number, amplitude: number): Float32Array<ArrayBuffer> {
  return noise(sampleRateHz, seconds, amplitude, 7).map(
    (v, i) => v * Math.exp((-5 * i) / (seconds * sampleRateHz)),
  );
}

function tone(sampleRateHz: number, seconds: number, hz: number): Float32Array<ArrayBuffer> {
  return fill(sampleRateHz, seconds, (i) => {
    const t = i / sampleRateHz;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 5 && harmonic * hz < sampleRateHz / 2; harmonic++)
      sum += Math.sin(2 * Math.PI * hz * harmonic * t) / harmonic ** 1.5;
    return 0.1 * Math.min(1, t * 200) * Math.exp(-1.5 * t) * sum;
  });
}

function addAt(out: Float32Array, sound: Float32Array, at: number): void {
  const count = Math.min(sound.length, out.length - at);
  for (let i = 0; i < count; i++) out[at + i] = (out[at + i] as number) + (sound[i] as number);
}

function fill(
  sampleRateHz: number,
  seconds: number,
  value: (i: number) => number,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(Math.round(sampleRateHz * seconds));
  for (let i = 0; i < out.length; i++) out[i] = value(i);
  return out;
}

/** Mulberry32: small, seeded, good enough for noise. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Adds a struck note: `at` seconds from the start, `decay` in powers of e per second. */
export function addNote(
  out: Float32Array,
  note: { sampleRateHz: number; at: number; hz: number; amplitude: number; harmonics: number; decay: number },
): void {
  const { sampleRateHz, hz, amplitude, harmonics, decay } = note;
  const first = Math.round(note.at * sampleRateHz);
  for (let i = 0; decay * i < 5 * sampleRateHz && first + i < out.length; i++) {
    const t = i / sampleRateHz;
    let sum = 0;
    for (let harmonic = 1; harmonic <= harmonics && harmonic * hz < sampleRateHz / 2; harmonic++)
      sum += Math.sin(2 * Math.PI * hz * harmonic * t) / harmonic;
    out[first + i] =
      (out[first + i] as number) + amplitude * Math.min(1, t * 200) * Math.exp(-decay * t) * sum;
  }
}
