import type { DemoPiece } from "../piece.ts";
import { chords, melody, overChords } from "../score.ts";
import { BELL, fm } from "../voices/keys.ts";
import { synth } from "../voices/synth.ts";

const pad = synth({
  wave: "saw",
  envelope: { attack: 1.6, decay: 1, sustain: 1, release: 2 },
  cutoffHz: 900,
  unison: 2,
  detuneCents: 9,
});
const drone = synth({
  wave: "triangle",
  envelope: { attack: 2, decay: 1, sustain: 1, release: 1.8 },
  cutoffHz: 500,
});

/** Ambient: no drums, a wide pad that slowly opens, glass bells far away. */
export const ambient: DemoPiece = {
  filename: "snow on the antenna.wav",
  title: "Snow on the Antenna",
  artist: "Dubplate Machines",
  bpm: 64,
  key: "E major",
  style: "Ambient",
  year: 2026,
  tags: ["title", "artist", "genre", "key", "year"],
  score: {
    bars: 8,
    beatsPerBar: 4,
    harmony: "IM9 | I | IVM9 | vi7 | IM9 | iii7 | IVM9 | Iadd9",
    levelDbfs: -19,
    room: { decaySeconds: 6, dullness: 0.25 },
    echo: { beats: 1.5, feedback: 0.6 },
    parts: [
      {
        voice: pad,
        phrase: chords("x---------------", "G#3"),
        levelDb: -14,
        lowPassHz: [700, 4000],
        isWide: true,
        room: 0.6,
      },
      { voice: drone, phrase: overChords("1 - - - - - - -", "E2", 2), levelDb: -12, room: 0.2 },
      {
        voice: fm(BELL),
        phrase: melody("5 - . . . . 3 - | . . 8 - . . . . | . . . 6 - . 5 - | . . . . 3 - - .", "E5", 2),
        levelDb: -18,
        isWide: true,
        echo: 0.6,
        room: 0.8,
      },
    ],
  },
};
