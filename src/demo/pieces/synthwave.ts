import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { CLUB_KICK, cymbal, skin, snare } from "../voices/drums.ts";
import { synth } from "../voices/synth.ts";

const bass = synth({
  wave: "saw",
  envelope: { attack: 0.003, decay: 0.15, sustain: 0.4, release: 0.04 },
  cutoffHz: 450,
  sweep: { octaves: 2, seconds: 0.1 },
  resonance: 0.3,
  unison: 2,
  detuneCents: 6,
});
const brass = synth({
  wave: "saw",
  envelope: { attack: 0.06, decay: 0.6, sustain: 0.7, release: 0.4 },
  cutoffHz: 1300,
  sweep: { octaves: 1.3, seconds: 0.8 },
  unison: 2,
  detuneCents: 13,
});
const sparkle = synth({
  wave: "square",
  envelope: { attack: 0.002, decay: 0.12, sustain: 0.1, release: 0.1 },
  cutoffHz: 2600,
  sweep: { octaves: 1, seconds: 0.1 },
});
const lead = synth({
  wave: "saw",
  envelope: { attack: 0.02, decay: 0.4, sustain: 0.8, release: 0.2 },
  cutoffHz: 2800,
  unison: 2,
  detuneCents: 7,
  vibratoCents: 14,
});

/** Synthwave: a bass in sixteenths, big brass pads, a snare in a big room, chrome on everything. */
export const synthwave: DemoPiece = {
  filename: "untitled 7 final FINAL.wav",
  title: "Motorway Sunset",
  artist: "Dubplate Machines",
  bpm: 100,
  key: "C# minor",
  style: "Synthwave",
  year: 2024,
  tags: [],
  score: {
    bars: 12,
    beatsPerBar: 4,
    harmony: "i | i | VI | VII",
    levelDbfs: -13,
    room: { decaySeconds: 2, dullness: 0.3 },
    echo: { beats: 0.75, feedback: 0.45 },
    parts: [
      { voice: skin(CLUB_KICK), phrase: hits("X...x...X...x..."), levelDb: -4 },
      { voice: snare(0.35), phrase: hits("....X.......X..."), levelDb: -7, room: 0.5 },
      { voice: cymbal(0.14), phrase: hits("x.x.x.x.x.x.x.x."), levelDb: -20, pan: 0.2 },
      { voice: bass, phrase: overChords("1 1 1 1 1 1 8 1 1 1 1 1 1 8 7 5", "C#2"), levelDb: -9, pump: 0.3 },
      {
        voice: brass,
        phrase: chords("x-------------..", "G#3"),
        levelDb: -16,
        isWide: true,
        pump: 0.4,
        room: 0.3,
      },
      {
        voice: sparkle,
        phrase: overChords("1 3 5 8 5 3 10 8", "C#5"),
        bars: "..xxxxxxxxxx",
        levelDb: -18,
        isWide: true,
        echo: 0.4,
        room: 0.2,
      },
      {
        voice: lead,
        phrase: melody("5 - - - 8 - 10 - | 8 - - 5 3 - - - | 6 - - - 8 - 6 - | 7 - - 9 5 - - -", "C#4"),
        bars: "....xxxxxxxx",
        levelDb: -13,
        echo: 0.35,
        room: 0.3,
      },
    ],
  },
};
