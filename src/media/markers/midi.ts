import { plainText } from "../plain-text.ts";
import type { Marker } from "./marker.ts";

/** Ticks of a quarter note. */
const TICKS = 960;
/** Bytes of a name: one byte says its length. */
const MAX_NAME_BYTES = 127;
/** The longest time between two events, in four bytes of seven bits. */
const MAX_DELTA = 0x0fff_ffff;
/** Microseconds of a quarter note are written in three bytes. */
const MAX_QUARTER_US = 0xff_ffff;
const META = 0xff;
const TEMPO = 0x51;
const MARKER = 0x06;
const END_OF_TRACK = 0x2f;

/**
 * Returns markers as a Standard MIDI File of format 0, for workstations that take markers from one. Ticks count at one tempo,
 * which must be the session's. A range is a marker `[` where it begins and one `]` where it ends. Names are ASCII.
 *
 * @param bpm Quarter notes per minute, at least 4.
 * @see The MIDI Association, "Standard MIDI Files 1.0" (RP-001).
 */
export function midiMarkers(markers: readonly Marker[], bpm: number): Uint8Array<ArrayBuffer> {
  const quarterUs = Math.min(MAX_QUARTER_US, Math.max(1, Math.round(60_000_000 / bpm)));
  const tempo = [(quarterUs >> 16) & 0xff, (quarterUs >> 8) & 0xff, quarterUs & 0xff];
  const events = [Uint8Array.of(...delta(0), META, TEMPO, tempo.length, ...tempo)];
  let last = 0;
  for (const { atSec, name } of momentsOf(markers)) {
    const tick = Math.min(last + MAX_DELTA, Math.round((atSec * 1e6 * TICKS) / quarterUs));
    const text = asciiName(name);
    events.push(Uint8Array.of(...delta(tick - last), META, MARKER, text.length), text);
    last = tick;
  }
  events.push(Uint8Array.of(...delta(0), META, END_OF_TRACK, 0));
  const track = Buffer.concat(events);
  const head = Buffer.alloc(22);
  head.write("MThd", 0, "latin1");
  head.writeUInt32BE(6, 4);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(1, 10);
  head.writeUInt16BE(TICKS, 12);
  head.write("MTrk", 14, "latin1");
  head.writeUInt32BE(track.length, 18);
  return Buffer.concat([head, track]);
}

/** Returns the moments that are marked, in their order. */
function momentsOf(markers: readonly Marker[]): { atSec: number; name: string }[] {
  const moments = markers.flatMap(({ atSec, endSec, name }) =>
    endSec === null
      ? [{ atSec, name }]
      : [
          { atSec, name: `[ ${name}` },
          { atSec: endSec, name: `] ${name}` },
        ],
  );
  return moments.toSorted((one, two) => one.atSec - two.atSec);
}

/** Returns a number of ticks in as many bytes as it needs, seven bits each, the highest first. */
function delta(ticks: number): number[] {
  const bytes = [ticks & 0x7f];
  for (let left = ticks >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** Returns a name in ASCII, cut where it is long. */
const asciiName = (name: string): Uint8Array<ArrayBuffer> =>
  Buffer.from(plainText(name), "latin1").subarray(0, MAX_NAME_BYTES);
