import { framesIn, mixInto } from "./dsp/audio.ts";
import type { Random } from "./dsp/random.ts";
import { frequencyOf, parseKey } from "./harmony.ts";
import type { DemoPiece, Part } from "./piece.ts";
import { parseHarmony, type Song, type WrittenNote } from "./score.ts";

/** Players are not machines: notes come up to this much late, and this much softer. */
const LATENESS_SECONDS = 0.004;
const SOFTNESS = 0.12;
/** Share of its written length that a note is held, which separates repeated notes. */
const LEGATO = 0.96;

/** Returns the song that a piece's parts play along to. @throws RangeError when its key or harmony is unreadable. */
export function songOf({ key: name, score: { bars, beatsPerBar, harmony } }: DemoPiece): Song {
  const key = parseKey(name);
  return { key, bars, beatsPerBar, chords: parseHarmony(harmony, key, bars) };
}

/** Returns one part played dry, `frames` long: two channels, left and right, when it is wide, else one. */
export function perform(
  part: Part,
  piece: DemoPiece,
  song: Song,
  frames: number,
  random: Random,
): Float32Array[] {
  const channels = Array.from({ length: part.isWide ? 2 : 1 }, () => new Float32Array(frames));
  const beatSeconds = 60 / piece.bpm;
  for (const written of part.phrase(song)) {
    if (!isPlaying(part, Math.floor(written.beat / song.beatsPerBar))) continue;
    const start = framesIn(startSeconds(written, beatSeconds, piece.score.swing ?? 0, random));
    const note = {
      frequencyHz: frequencyOf(written.midi),
      heldSeconds: written.beats * beatSeconds * LEGATO,
      velocity: written.velocity * (1 - SOFTNESS * random()),
    };
    for (const channel of channels) mixInto(channel, part.voice(note, random), 1, start);
  }
  return channels;
}

const isPlaying = ({ bars = "x" }: Part, bar: number) => bars[bar % bars.length] !== ".";

/** When a written note sounds: swung if it falls on an odd sixteenth, strummed, and a hair late. */
function startSeconds(
  { beat, lagMs = 0 }: WrittenNote,
  beatSeconds: number,
  swing: number,
  random: Random,
): number {
  const isOffbeatSixteenth = (beat * 4) % 2 === 1;
  const swungBeat = isOffbeatSixteenth ? beat + swing / 4 : beat;
  return swungBeat * beatSeconds + lagMs / 1000 + random() * LATENESS_SECONDS;
}
