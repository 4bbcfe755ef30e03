import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { shaker } from "../voices/drums.ts";
import { pluck } from "../voices/pluck.ts";
import { synth } from "../voices/synth.ts";

const accordion = synth({
  wave: "square",
  envelope: { attack: 0.03, decay: 0.3, sustain: 0.85, release: 0.08 },
  cutoffHz: 3200,
  unison: 3,
  detuneCents: 12,
});

/** A waltz in three: upright bass, guitar and accordion, brushes on the snare. */
export const waltz: DemoPiece = {
  filename: "paper-lanterns.wav",
  title: "Paper Lanterns",
  artist: "Dubplate Quartet",
  bpm: 150,
  key: "D major",
  style: "Waltz",
  year: 2025,
  tags: ["title", "artist", "genre"],
  score: {
    bars: 24,
    beatsPerBar: 3,
    harmony: "I | I | V7 | V7 | V7 | V7 | I | I | I | I | IV | IV | ii | V7 | I | I",
    levelDbfs: -16,
    room: { decaySeconds: 1.2, dullness: 0.4 },
    parts: [
      {
        voice: pluck({ ringSeconds: 1.6, brightness: 0.2 }),
        phrase: overChords("1! - . | 5, - .", "D2", 1),
        levelDb: -1,
        lowPassHz: [1200, 1200],
      },
      {
        voice: pluck({ ringSeconds: 0.9, brightness: 0.5 }),
        phrase: chords(".xx", "A3", { stepsPerBeat: 1, strumMs: 9 }),
        levelDb: -11,
        pan: -0.35,
        room: 0.2,
      },
      { voice: shaker(0.12, 4000), phrase: hits("o.x.x.", 2), levelDb: -17, pan: 0.3, room: 0.2 },
      {
        voice: accordion,
        phrase: melody(
          "5 - - - 3 4 | 5 - 8 - - - | 7 - - - 6 5 | 4 - - - - . | 4 - - - 2 3 | 4 - 7 - - - | 6 - 5 - 4 - |" +
            "3 - - - - . | 5 - - - 3 4 | 5 - 8 - 10 - | 9 - 8 - 6 - | 6 - - - - . | 6 - 5 - 4 - | 7 - 6 - 2 - |" +
            "1 - - - - - | - - . . . .",
          "D4",
        ),
        levelDb: -13,
        pan: 0.1,
        isWide: true,
        room: 0.3,
      },
    ],
  },
};
