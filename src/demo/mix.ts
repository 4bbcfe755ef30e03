import { amplitude, framesIn, mixInto, SAMPLE_RATE_HZ, type Stereo, silence } from "./dsp/audio.ts";
import { applyDrive, applyPump, master } from "./dsp/dynamics.ts";
import { applyFilter } from "./dsp/filter.ts";
import { randomFrom } from "./dsp/random.ts";
import { echo, reverberate } from "./dsp/space.ts";
import { perform, songOf } from "./perform.ts";
import type { DemoPiece, Part } from "./piece.ts";

/** How long the last notes ring on after the last bar. */
const TAIL_SECONDS = 2;
const FADE_SECONDS = 0.8;
const RUMBLE_HZ = 25;

/**
 * Returns a piece, played and mixed: 20 to 35 s of stereo at 44.1 kHz, peaks at most -1 dBFS. The same piece
 * always gives the same samples.
 */
export function mixPiece(piece: DemoPiece): Stereo {
  const { score, bpm } = piece;
  const song = songOf(piece);
  const random = randomFrom(piece.title);
  const beatSeconds = 60 / bpm;
  const frames = framesIn(score.bars * score.beatsPerBar * beatSeconds + TAIL_SECONDS);
  const mix = silence(frames);
  const toRoom = silence(frames);
  const toEcho = silence(frames);
  for (const part of score.parts) {
    const track = perform(part, piece, song, frames, random);
    for (const channel of track) applyInserts(channel, part, beatSeconds);
    addTo(mix, track, part);
    if (part.room) addTo(toRoom, track, part, part.room);
    if (part.echo) addTo(toEcho, track, part, part.echo);
  }
  const wet = [reverberate(toRoom, score.room)];
  if (score.echo) wet.push(echo(toEcho, beatSeconds, score.echo));
  for (const { left, right } of wet) addTo(mix, [left, right]);
  finish(mix, score.levelDbfs);
  return mix;
}

/** Runs one channel of a part through its effects, in place: drive, filter, pump. */
function applyInserts(channel: Float32Array, part: Part, beatSeconds: number): void {
  const { driveDb, lowPassHz, pump } = part;
  if (driveDb) applyDrive(channel, driveDb);
  if (lowPassHz) {
    const [startHz, endHz] = lowPassHz;
    const lengthSeconds = channel.length / SAMPLE_RATE_HZ;
    applyFilter(channel, "low", (seconds) => startHz * (endHz / startHz) ** (seconds / lengthSeconds), 0.2);
  }
  if (pump) applyPump(channel, beatSeconds, pump);
}

/** Adds a track of one or two channels to a bus, keeping its power as it is panned. */
function addTo(
  bus: Stereo,
  track: readonly Float32Array[],
  { levelDb = 0, pan = 0 }: Partial<Part> = {},
  send = 1,
): void {
  const [left = new Float32Array(0), right = left] = track;
  const gain = amplitude(levelDb) * send;
  const angle = ((pan + 1) * Math.PI) / 4;
  mixInto(bus.left, left, gain * Math.SQRT2 * Math.cos(angle));
  mixInto(bus.right, right, gain * Math.SQRT2 * Math.sin(angle));
}

/** Takes out rumble, masters, and fades the tail to silence, in place. */
function finish(mix: Stereo, levelDbfs: number): void {
  for (const channel of [mix.left, mix.right]) applyFilter(channel, "high", RUMBLE_HZ);
  master(mix, levelDbfs);
  const fade = framesIn(FADE_SECONDS);
  for (const channel of [mix.left, mix.right]) {
    const start = channel.length - fade;
    for (let i = start; i < channel.length; i++) {
      channel[i] = (channel[i] ?? 0) * Math.cos((Math.PI * (i - start)) / (2 * fade));
    }
  }
}
