/** What another mix of a song changes, by MIDI channel, 0 to 15; the drums are channel 9. */
export type Remix = {
  /** Factor for the written velocity; 0 leaves the channel out. */
  velocity?: (channel: number) => number;
  /** The General MIDI program, 0 to 127, that replaces the written one. */
  program?: (channel: number, program: number) => number;
};

/** Returns a standard MIDI file with a different balance and other instruments, and every note in place. */
export function remixMidi(bytes: Uint8Array, remix: Remix): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let at = 14; at + 8 <= copy.length; ) {
    const length = view.getUint32(at + 4);
    remixTrack(copy.subarray(at + 8, at + 8 + length), remix);
    at += 8 + length;
  }
  return copy;
}

const DATA_BYTES: Readonly<Record<number, number>> = { 8: 2, 9: 2, 10: 2, 11: 2, 12: 1, 13: 1, 14: 2 };

function remixTrack(track: Uint8Array, remix: Remix): void {
  let at = 0;
  let status = 0;
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = track[at++] ?? 0;
      value = (value << 7) | (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  while (at < track.length) {
    number(); // the time since the previous event
    if ((track[at] ?? 0) >= 0x80) status = track[at++] ?? 0;
    if (status >= 0xf0) {
      if (status === 0xff) at++;
      const length = number();
      at += length;
      continue;
    }
    remixEvent(track, at, status, remix);
    at += DATA_BYTES[status >> 4] ?? 0;
  }
}

function remixEvent(track: Uint8Array, at: number, status: number, { velocity, program }: Remix): void {
  const channel = status & 0xf;
  const kind = status >> 4;
  const written = track[at + (kind === 0x9 ? 1 : 0)] ?? 0;
  if (kind === 0x9 && velocity) track[at + 1] = Math.min(127, Math.round(written * velocity(channel)));
  if (kind === 0xc && program) track[at] = program(channel, written);
}
