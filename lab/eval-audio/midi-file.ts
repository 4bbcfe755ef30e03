/** A note: time in beats from the start, MIDI numbers, velocity 1..127. Channel 9 is drums. */
export type Note = {
  atBeat: number;
  beats: number;
  channel: number;
  pitch: number;
  velocity: number;
};

/** A piece to be played. */
export type Score = {
  /** Beats per minute from each beat on; the first is at beat 0. */
  tempi: readonly { atBeat: number; bpm: number }[];
  /** General MIDI program of each channel that has one. */
  programs: ReadonlyMap<number, number>;
  /** Deviation of all channels except the drums from A = 440 Hz, in cents, within -200..200. */
  cents: number;
  notes: readonly Note[];
};

const TICKS_PER_BEAT = 480;

type Event = { tick: number; order: number; bytes: number[] };

/** Returns a score as the bytes of a Standard MIDI File, format 0. */
export function midiBytes({ tempi, programs, cents, notes }: Score): Uint8Array<ArrayBuffer> {
  const events: Event[] = tempi.map(({ atBeat, bpm }) => ({
    tick: ticks(atBeat),
    order: 0,
    bytes: [0xff, 0x51, 3, ...bigEndian(Math.round(60e6 / bpm), 3)],
  }));
  const bend = Math.max(0, Math.min(16_383, 8192 + Math.round((cents / 200) * 8192)));
  for (const [channel, program] of programs)
    events.push(
      { tick: 0, order: 1, bytes: [0xc0 | channel, program] },
      { tick: 0, order: 1, bytes: [0xe0 | channel, bend & 127, bend >> 7] },
    );
  for (const { atBeat, beats, channel, pitch, velocity } of notes) {
    if (pitch < 0 || pitch > 127) continue;
    const from = ticks(Math.max(0, atBeat));
    const until = Math.max(from + 1, ticks(atBeat + beats));
    const loudness = Math.max(1, Math.min(127, Math.round(velocity)));
    events.push(
      { tick: from, order: 3, bytes: [0x90 | channel, pitch, loudness] },
      { tick: until, order: 2, bytes: [0x80 | channel, pitch, 0] },
    );
  }
  const track = [...trackBytes(events), 0, 0xff, 0x2f, 0];
  return Uint8Array.from([
    ...[..."MThd"].map((letter) => letter.charCodeAt(0)),
    ...bigEndian(6, 4),
    ...bigEndian(0, 2),
    ...bigEndian(1, 2),
    ...bigEndian(TICKS_PER_BEAT, 2),
    ...[..."MTrk"].map((letter) => letter.charCodeAt(0)),
    ...bigEndian(track.length, 4),
    ...track,
  ]);
}

const ticks = (beats: number) => Math.round(beats * TICKS_PER_BEAT);

const bigEndian = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => (value >>> (8 * (bytes - 1 - i))) & 255);

function trackBytes(events: Event[]): number[] {
  const out: number[] = [];
  let at = 0;
  for (const { tick, bytes } of events.toSorted((a, b) => a.tick - b.tick || a.order - b.order)) {
    out.push(...variableLength(tick - at), ...bytes);
    at = tick;
  }
  return out;
}

function variableLength(value: number): number[] {
  const out = [value & 127];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) out.unshift((rest & 127) | 128);
  return out;
}
