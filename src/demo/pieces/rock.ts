import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { BAND_KICK, cymbal, skin, snare } from "../voices/drums.ts";
import { pluck } from "../voices/pluck.ts";
import { synth } from "../voices/synth.ts";

const lead = synth({
  wave: "saw",
  envelope: { attack: 0.01, decay: 0.5, sustain: 0.8, release: 0.1 },
  cutoffHz: 3000,
  vibratoCents: 20,
});

/** Rock: two guitars driven hard, eighth-note bass, a drummer who hits. */
export const rock: DemoPiece = {
  filename: "tin-roof.wav",
  title: "Tin Roof",
  artist: "Dubplate Garage Band",
  bpm: 140,
  key: "E minor",
  style: "Rock",
  year: 2024,
  tags: ["title", "artist", "genre", "bpm", "key", "year"],
  score: {
    bars: 16,
    beatsPerBar: 4,
    harmony: "i5 | i5 | VI5 | VII5 | i5 | i5 | iv5 | v5",
    levelDbfs: -14.5,
    room: { decaySeconds: 1.1, dullness: 0.3 },
    echo: { beats: 1, feedback: 0.3 },
    parts: [
      { voice: skin(BAND_KICK), phrase: hits("X...x.x.X.x....."), levelDb: -1 },
      { voice: snare(0.3), phrase: hits("....X.......X... | ....X.......X.XX"), levelDb: -3, room: 0.2 },
      { voice: cymbal(0.12), phrase: hits("X.x.X.x.X.x.X.x."), levelDb: -16, pan: 0.3 },
      { voice: cymbal(2), phrase: hits("X..............."), bars: "x.......", levelDb: -17, isWide: true },
      {
        voice: pluck({ ringSeconds: 3, brightness: 0.7 }),
        phrase: chords("x-x-x-x-x-x-x-x-", "E2"),
        levelDb: -16,
        driveDb: 20,
        lowPassHz: [3800, 3800],
        isWide: true,
        room: 0.1,
      },
      {
        voice: pluck({ ringSeconds: 2.5, brightness: 0.4 }),
        phrase: overChords("1 1 1 1 1 1 5 7", "E1", 2),
        levelDb: -9,
        driveDb: 6,
        lowPassHz: [1400, 1400],
      },
      {
        voice: lead,
        phrase: melody("8 - 7 8 10 - 8 - | 5 - 3 - 1 - . . | 8 - 10 - 8 - 6 - | 7 - - 9 7 - 5 -", "E4"),
        bars: "........xxxxxxxx",
        levelDb: -18,
        driveDb: 14,
        lowPassHz: [4500, 4500],
        echo: 0.25,
        room: 0.2,
      },
    ],
  },
};
