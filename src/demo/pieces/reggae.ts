import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { BAND_KICK, cymbal, rim, skin, snare } from "../voices/drums.ts";
import { organ } from "../voices/keys.ts";
import { pluck } from "../voices/pluck.ts";
import { synth } from "../voices/synth.ts";

const melodica = synth({
  wave: "square",
  envelope: { attack: 0.04, decay: 0.2, sustain: 0.8, release: 0.08 },
  cutoffHz: 2200,
  unison: 2,
  detuneCents: 5,
  vibratoCents: 12,
});

/** Reggae: one drop, an organ that bubbles, a guitar on the off-beat, and a tape echo. */
export const reggae: DemoPiece = {
  filename: "harbour-breeze.wav",
  title: "Harbour Breeze",
  artist: "Dubplate Quartet",
  bpm: 76,
  key: "G major",
  style: "Reggae",
  year: 2025,
  tags: ["title", "artist", "genre", "year"],
  score: {
    bars: 8,
    beatsPerBar: 4,
    harmony: "I | ii | IV | I V",
    levelDbfs: -15.5,
    room: { decaySeconds: 1.4, dullness: 0.4 },
    echo: { beats: 0.75, feedback: 0.5 },
    parts: [
      { voice: skin(BAND_KICK), phrase: hits("........X......."), levelDb: -3 },
      {
        voice: rim(),
        phrase: hits("........X..... ..| ........X....o.."),
        levelDb: -5,
        room: 0.3,
        echo: 0.25,
      },
      {
        voice: snare(0.18),
        phrase: hits("..............xX"),
        bars: "...x",
        levelDb: -10,
        room: 0.3,
        echo: 0.3,
      },
      { voice: cymbal(0.14), phrase: hits("x.x.x.x.x.x.x.x."), levelDb: -18, pan: 0.2 },
      {
        voice: pluck({ ringSeconds: 2, brightness: 0.1 }),
        phrase: overChords("1 - - 1 3 - 5 - . . 8 - 5 - 3 - | 1 - - 3 - - 5 - . . . . 5, - 7, -", "E1"),
        levelDb: -2,
        lowPassHz: [500, 500],
      },
      {
        voice: pluck({ ringSeconds: 0.6, brightness: 0.8 }),
        phrase: chords("..x...x...x...x.", "G3", { strumMs: 7 }),
        levelDb: -12,
        pan: -0.4,
        room: 0.15,
      },
      { voice: organ(), phrase: chords(".xo..xo..xo..xo.", "D3"), levelDb: -19, pan: 0.4, room: 0.15 },
      {
        voice: melodica,
        phrase: melody("5 - - 6 5 - 3 - | 2 - - - . . . . | 4 - - 5 6 - 8 - | 7 - 5 - . . . .", "G4"),
        bars: "....xxxx",
        levelDb: -16,
        echo: 0.5,
        room: 0.3,
      },
    ],
  },
};
