import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { BAND_KICK, cymbal, shaker, skin, snare } from "../voices/drums.ts";
import { ELECTRIC_PIANO, fm } from "../voices/keys.ts";
import { pluck } from "../voices/pluck.ts";

/** Boom bap: a lazy swung beat, electric piano, a plucked bass; the sound of a worn record. */
export const boomBap: DemoPiece = {
  filename: "beat idea 3 - 88 bpm Cm.wav",
  title: "Corner Table",
  artist: "Dubplate Quartet",
  bpm: 88,
  key: "C minor",
  style: "Hip Hop",
  year: 2024,
  tags: [],
  score: {
    bars: 8,
    beatsPerBar: 4,
    harmony: "i9 | ivadd9 v7 | i9 | VIM7 v7",
    swing: 0.3,
    levelDbfs: -14,
    room: { decaySeconds: 0.8, dullness: 0.5 },
    parts: [
      {
        voice: skin(BAND_KICK),
        phrase: hits("X.....x...X..... | X.....xx..x....."),
        levelDb: -3,
        driveDb: 4,
      },
      { voice: snare(0.22), phrase: hits("....X.......X..o"), levelDb: -7, driveDb: 3, room: 0.12 },
      { voice: cymbal(0.14), phrase: hits("x.x.x.x.x.xox.x."), levelDb: -18, pan: 0.25 },
      {
        voice: shaker(0.02, 3000),
        phrase: hits("o..o.o....o..... | .o....o...oo..o."),
        levelDb: -12,
        isWide: true,
      },
      {
        voice: pluck({ ringSeconds: 1.4, brightness: 0.2 }),
        phrase: overChords("1 - - - . . 1 - 5 - 7 - 8 - . 5", "C2"),
        levelDb: -5,
        lowPassHz: [900, 900],
      },
      {
        voice: fm(ELECTRIC_PIANO),
        phrase: chords("x-----x---..x-..", "G3", { strumMs: 14 }),
        levelDb: -15,
        lowPassHz: [2500, 2500],
        isWide: true,
        room: 0.25,
      },
      {
        voice: fm({ ...ELECTRIC_PIANO, index: 0.7 }),
        phrase: melody(". . . . 5 - 7 8 - . 7 5 4 - 3 - | . . 1 - . . . . . . 3 4 5 - - -", "C5", 4),
        bars: "..xx",
        levelDb: -16,
        pan: -0.3,
        room: 0.4,
      },
    ],
  },
};
