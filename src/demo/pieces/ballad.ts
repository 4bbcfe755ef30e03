import type { DemoPiece } from "../piece.ts";
import { chords, melody, overChords } from "../score.ts";
import { piano } from "../voices/keys.ts";

/** A ballad for piano alone: the left hand rolls, the right hand sings. */
export const ballad: DemoPiece = {
  filename: "piano sketch.wav",
  title: "Letter Never Sent",
  artist: "Dubplate Quartet",
  bpm: 68,
  key: "Bb major",
  style: "Ballad",
  year: 2023,
  tags: [],
  score: {
    bars: 7,
    beatsPerBar: 4,
    harmony: "I | V | vi7 | IVM7 | I | IV V | I",
    levelDbfs: -19,
    room: { decaySeconds: 2.4, dullness: 0.4 },
    parts: [
      {
        voice: piano(0.9),
        phrase: overChords("1! - 5 - 8 - 10 - 12 - 10 - 8 - 5 -", "F2"),
        bars: "xxxxxx.",
        levelDb: -11,
        pan: -0.2,
        room: 0.25,
      },
      {
        voice: piano(0.6),
        phrase: melody(
          "5 - - 3 4 - 5 - | 7 - - 5 2 - - - | 8 - - 7 5 - 3 - | 6 - 5 - 3 - - - |" +
            "5 - - 3 5 - 8 - | 9 - 8 - 7 - 5 - | 8! - - - - - - -",
          "Bb4",
        ),
        levelDb: -9,
        pan: 0.15,
        room: 0.35,
      },
      {
        voice: piano(1.5),
        phrase: chords("x---------------", "Bb3", { strumMs: 30 }),
        bars: "......x",
        levelDb: -11,
        room: 0.3,
      },
    ],
  },
};
