import type { DemoPiece } from "../piece.ts";
import { chords, hits, overChords } from "../score.ts";
import { CLUB_KICK, clap, cymbal, skin } from "../voices/drums.ts";
import { synth } from "../voices/synth.ts";

const acid = synth({
  wave: "saw",
  envelope: { attack: 0.002, decay: 0.2, sustain: 0.3, release: 0.04 },
  cutoffHz: 260,
  sweep: { octaves: 3.4, seconds: 0.09 },
  resonance: 0.8,
});
const rumble = synth({
  wave: "sine",
  envelope: { attack: 0.01, decay: 0.2, sustain: 0.6, release: 0.04 },
  cutoffHz: 400,
  sub: 0.3,
});
const stab = synth({
  wave: "square",
  envelope: { attack: 0.002, decay: 0.1, sustain: 0, release: 0.05 },
  cutoffHz: 900,
  sweep: { octaves: 1.5, seconds: 0.08 },
  unison: 2,
  detuneCents: 9,
});

/** Techno: one chord, an acid line that opens for half a minute. */
export const techno: DemoPiece = {
  filename: "substation.wav",
  title: "Substation",
  artist: "Dubplate Machines",
  bpm: 134,
  key: "A minor",
  style: "Techno",
  year: 2025,
  tags: ["title", "artist", "genre", "bpm"],
  score: {
    bars: 16,
    beatsPerBar: 4,
    harmony: "i | i | i | i | i | i | VI | v",
    levelDbfs: -12,
    room: { decaySeconds: 2.2, dullness: 0.5 },
    echo: { beats: 0.75, feedback: 0.55 },
    parts: [
      { voice: skin(CLUB_KICK), phrase: hits("X...X...X...X..."), levelDb: -2, driveDb: 5 },
      {
        voice: rumble,
        phrase: overChords(". . 1 1 . . 1 1 . . 1 1 . . 1 5,", "A1"),
        levelDb: -10,
        room: 0.15,
      },
      {
        voice: acid,
        phrase: overChords("1 . 1 8! 1 . 3 1 . 1 5! 1 7, . 1 8", "A2"),
        levelDb: -12,
        driveDb: 9,
        lowPassHz: [500, 7000],
        echo: 0.2,
        room: 0.1,
      },
      {
        voice: stab,
        phrase: chords("...x......x.....", "A3"),
        bars: "....xxxxxxxxxxxx",
        levelDb: -12,
        isWide: true,
        echo: 0.6,
        room: 0.4,
      },
      { voice: clap(), phrase: hits("....x.......x..."), bars: "....xxxx", levelDb: -15, room: 0.25 },
      { voice: cymbal(0.14), phrase: hits("xoxoxoxoxoxoxoxo"), levelDb: -23, pan: -0.3 },
      { voice: cymbal(0.35), phrase: hits("..x...x...x...x."), bars: "..xxxxxx", levelDb: -18, pan: 0.2 },
    ],
  },
};
