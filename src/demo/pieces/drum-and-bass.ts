import type { DemoPiece } from "../piece.ts";
import { chords, hits, overChords } from "../score.ts";
import { BAND_KICK, cymbal, shaker, skin, snare } from "../voices/drums.ts";
import { BELL, fm } from "../voices/keys.ts";
import { synth } from "../voices/synth.ts";

const reese = synth({
  wave: "saw",
  envelope: { attack: 0.01, decay: 1, sustain: 1, release: 0.06 },
  cutoffHz: 520,
  sweep: { octaves: 1, seconds: 0.4 },
  resonance: 0.3,
  unison: 3,
  detuneCents: 22,
  sub: 0.9,
});
const pad = synth({
  wave: "saw",
  envelope: { attack: 0.3, decay: 1, sustain: 1, release: 1 },
  cutoffHz: 2200,
  unison: 2,
  detuneCents: 14,
});

/** Drum & bass: a two-step break at full speed under slow chords. */
export const drumAndBass: DemoPiece = {
  filename: "rolling-start_174_Dm.wav",
  title: "Rolling Start",
  artist: "Dubplate Machines",
  bpm: 174,
  key: "D minor",
  style: "Drum & Bass",
  year: 2026,
  tags: ["title", "artist", "genre", "bpm", "key"],
  score: {
    bars: 20,
    beatsPerBar: 4,
    harmony: "i9 | i9 | VIM7 | VIM7 | iv7 | iv7 | i7 | VII",
    levelDbfs: -12,
    room: { decaySeconds: 1.8, dullness: 0.3 },
    echo: { beats: 1.5, feedback: 0.4 },
    parts: [
      { voice: skin(BAND_KICK), phrase: hits("X.........X..... | X.....x...X....."), levelDb: -3 },
      { voice: snare(0.2), phrase: hits("....X.......X... | ....X..o.o..X..o"), levelDb: -5, room: 0.12 },
      { voice: cymbal(0.14), phrase: hits("x.x.x.x.x.x.x.x."), levelDb: -17, pan: -0.2 },
      { voice: shaker(0.07), phrase: hits(".o.x.o.x.o.x.o.x"), levelDb: -17, pan: 0.3 },
      {
        voice: cymbal(1.8),
        phrase: hits("x..............."),
        bars: "....x.......",
        levelDb: -18,
        isWide: true,
      },
      {
        voice: reese,
        phrase: overChords("1 - - - - - . 1 - - 5 - - - 7 - | 1 - - - - - - - . . 8 - 5 - 3 -", "D1"),
        bars: "....xxxxxxxxxxxxxxxx",
        levelDb: -9,
        driveDb: 4,
      },
      { voice: pad, phrase: chords("x---------------", "A3"), levelDb: -18, isWide: true, room: 0.5 },
      {
        voice: fm(BELL),
        phrase: overChords("1 3 5 7 . 5 3 . 8 7 5 . 3 5 7 .", "D5", 2),
        levelDb: -20,
        isWide: true,
        echo: 0.5,
        room: 0.4,
      },
    ],
  },
};
