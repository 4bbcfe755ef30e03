import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { cymbal, skin, TAIKO } from "../voices/drums.ts";
import { synth } from "../voices/synth.ts";

const strings = synth({
  wave: "saw",
  envelope: { attack: 0.25, decay: 1, sustain: 1, release: 0.5 },
  cutoffHz: 2400,
  unison: 2,
  detuneCents: 10,
  vibratoCents: 8,
});
const spiccato = synth({
  wave: "saw",
  envelope: { attack: 0.012, decay: 0.09, sustain: 0.1, release: 0.06 },
  cutoffHz: 1800,
  sweep: { octaves: 1, seconds: 0.06 },
  unison: 2,
  detuneCents: 8,
});
const horns = synth({
  wave: "saw",
  envelope: { attack: 0.12, decay: 0.8, sustain: 0.8, release: 0.3 },
  cutoffHz: 700,
  sweep: { octaves: 1.2, seconds: 0.5 },
  unison: 2,
  detuneCents: 7,
  vibratoCents: 6,
});

/** Cinematic: strings that push on, drums from the back of the hall, horns for the ending. */
export const cinematic: DemoPiece = {
  filename: "cue_04_the-gate.wav",
  title: "The Gate",
  artist: "Dubplate Chamber Orchestra",
  bpm: 90,
  key: "G minor",
  style: "Cinematic",
  year: 2026,
  tags: [],
  score: {
    bars: 10,
    beatsPerBar: 4,
    harmony: "i | i | VI | VI | iv | iv | i | VII | VI VII | i",
    levelDbfs: -16,
    room: { decaySeconds: 3.2, dullness: 0.35 },
    parts: [
      {
        voice: skin(TAIKO),
        phrase: hits("X..x..x.X..x..xx"),
        bars: "..xxxxxxx.",
        levelDb: -5,
        isWide: true,
        room: 0.25,
      },
      { voice: skin(TAIKO), phrase: hits("X..............."), levelDb: -2, room: 0.4 },
      { voice: cymbal(2.5), phrase: hits("X..............."), bars: "....x....x", levelDb: -18, room: 0.4 },
      {
        voice: spiccato,
        phrase: overChords("1! 1 5 1 8! 1 5 1 1! 1 5 1 10! 8 5 3", "G3"),
        bars: "xxxxxxxxx.",
        levelDb: -10,
        pan: -0.4,
        room: 0.3,
      },
      { voice: strings, phrase: chords("x---------------", "D4"), levelDb: -18, isWide: true, room: 0.5 },
      { voice: strings, phrase: overChords("1 - - - - - - -", "G1", 2), levelDb: -12, pan: 0.3, room: 0.3 },
      {
        voice: horns,
        phrase: melody(
          "1 - - - 5 - - - | 4 - 3 - 2 - - - | 3 - - - 8 - - - | 7 - 6 - 5 - - - | 4 - - - 8 - - - |" +
            "6 - 5 - 4 - - - | 5 - - - 8 - - - | 7 - - - 9 - - - | 8 - 6 - 7 - 9 - | 8 - - - - - - -",
          "G3",
        ),
        bars: "..xxxxxxxx",
        levelDb: -9,
        pan: 0.25,
        room: 0.4,
      },
    ],
  },
};
