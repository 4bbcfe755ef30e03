import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { BAND_KICK, CONGA, rim, shaker, skin } from "../voices/drums.ts";
import { pluck } from "../voices/pluck.ts";
import { synth } from "../voices/synth.ts";

const flute = synth({
  wave: "triangle",
  envelope: { attack: 0.05, decay: 0.3, sustain: 0.85, release: 0.12 },
  cutoffHz: 2600,
  vibratoCents: 14,
});

/** Bossa nova: a nylon guitar that never lands where you expect, rim clave, flute. */
export const bossaNova: DemoPiece = {
  filename: "slow-elevator.wav",
  title: "Slow Elevator",
  artist: "Dubplate Quartet",
  bpm: 128,
  key: "A major",
  style: "Bossa Nova",
  year: 2023,
  tags: ["title", "artist", "genre", "bpm"],
  score: {
    bars: 16,
    beatsPerBar: 4,
    harmony: "IM9 | IM9 | vi7 | vi7 | ii9 | V9 | IM7 | V7",
    levelDbfs: -17,
    room: { decaySeconds: 1.3, dullness: 0.4 },
    parts: [
      { voice: skin(BAND_KICK), phrase: hits("x..xx..x", 2), levelDb: -12 },
      { voice: rim(), phrase: hits("x..x..x...x..x..", 2), levelDb: -10, pan: 0.3, room: 0.2 },
      { voice: shaker(0.1), phrase: hits("Xoxo", 2), levelDb: -14, pan: -0.3, isWide: true },
      { voice: skin(CONGA), phrase: hits(".......x.o......", 2), levelDb: -16, pan: 0.4, room: 0.2 },
      {
        voice: pluck({ ringSeconds: 1.8, brightness: 0.2 }),
        phrase: overChords("1 - . 5, 5, - . 1", "A1", 2),
        levelDb: -4,
        lowPassHz: [1000, 1000],
      },
      {
        voice: pluck({ ringSeconds: 1.5, brightness: 0.35 }),
        phrase: chords("x.x..x-.x..x-.x.", "E3", { stepsPerBeat: 2, strumMs: 6 }),
        levelDb: -11,
        pan: -0.15,
        isWide: true,
        room: 0.2,
      },
      {
        voice: flute,
        phrase: melody(
          "5 - - 6 5 - 3 - | - - . . . 3 5 8 | 8 - - 7 6 - 5 - | - - - - . . . . |" +
            "6 - - 5 4 - 2 - | - 4 6 - 5 - 4 - | 3 - - - - - . . | . . . 2 3 - 4 -",
          "A4",
        ),
        bars: "....xxxxxxxxxxxx",
        levelDb: -12,
        room: 0.4,
      },
    ],
  },
};
