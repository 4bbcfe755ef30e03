import type { DemoPiece } from "../piece.ts";
import { chords, hits, melody, overChords } from "../score.ts";
import { CLUB_KICK, clap, cymbal, shaker, skin } from "../voices/drums.ts";
import { ELECTRIC_PIANO, fm } from "../voices/keys.ts";
import { synth } from "../voices/synth.ts";

const bass = synth({
  wave: "saw",
  envelope: { attack: 0.004, decay: 0.25, sustain: 0.5, release: 0.06 },
  cutoffHz: 320,
  sweep: { octaves: 1.5, seconds: 0.12 },
  sub: 0.5,
});
const pad = synth({
  wave: "saw",
  envelope: { attack: 0.4, decay: 1, sustain: 0.9, release: 0.8 },
  cutoffHz: 1400,
  unison: 2,
  detuneCents: 11,
});
const whistle = synth({
  wave: "triangle",
  envelope: { attack: 0.02, decay: 0.3, sustain: 0.5, release: 0.15 },
  cutoffHz: 3500,
  vibratoCents: 8,
});

/** Deep house: warm ninths over four on the floor. */
export const deepHouse: DemoPiece = {
  filename: "night-ferry.wav",
  title: "Night Ferry",
  artist: "Dubplate Machines",
  bpm: 122,
  key: "F minor",
  style: "Deep House",
  year: 2026,
  tags: ["title", "artist", "genre", "bpm", "key", "year"],
  score: {
    bars: 14,
    beatsPerBar: 4,
    harmony: "i7 | i9 | iv9 | VIM7",
    swing: 0.14,
    levelDbfs: -13,
    room: { decaySeconds: 1.6, dullness: 0.4 },
    echo: { beats: 0.75, feedback: 0.45 },
    parts: [
      { voice: skin(CLUB_KICK), phrase: hits("x...x...x...x..."), levelDb: -3 },
      { voice: clap(), phrase: hits("....x.......x..."), bars: "..xxxxxxxxxxxx", levelDb: -13, room: 0.3 },
      { voice: cymbal(0.35), phrase: hits("..x...x...x...x."), bars: "..xxxxxxxxxxxx", levelDb: -17 },
      { voice: shaker(0.09), phrase: hits("xoxoxoxoxoxoxoxo"), levelDb: -15, pan: 0.4 },
      { voice: bass, phrase: overChords("1 . . 1 . . 8 . . 1 . . 5 . 7 .", "E1"), levelDb: -8, pump: 0.4 },
      {
        voice: fm(ELECTRIC_PIANO),
        phrase: chords("x-.x--..x-.x--..", "Eb3"),
        levelDb: -16,
        pan: -0.2,
        room: 0.3,
        echo: 0.25,
        pump: 0.3,
      },
      {
        voice: pad,
        phrase: chords("x---------------", "C4"),
        levelDb: -22,
        isWide: true,
        pump: 0.7,
        room: 0.4,
      },
      {
        voice: whistle,
        phrase: melody(". . . 5 - 4 3 - | 1 - - . . . . . | . . . 8 - 7 5 - | 4 - 3 - 1 - . .", "F4"),
        bars: "....xxxx..xxxx",
        levelDb: -15,
        echo: 0.5,
        room: 0.3,
      },
    ],
  },
};
