/** A traditional tune in the public domain, written down from memory. */
export type Tune = {
  name: string;
  /** Pitch class of the tonic as written, C = 0. */
  tonic: number;
  isMinor: boolean;
  /** Unit notes per beat: 2 for eighths in 2/4, 3/4 and 4/4; 3 for eighths in 6/8. */
  unitsPerBeat: 2 | 3;
  /** Unit notes before the first bar line. */
  upbeat: number;
  /** Notes as in ABC notation with L:1/8, accidentals written out at every note ("^" sharp, "_" flat). */
  notes: string;
};

/** Tunes for one instrument, or with a little accompaniment. */
export const TUNES: readonly Tune[] = [
  {
    name: "twinkle",
    tonic: 0,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 0,
    notes: "C2C2G2G2 A2A2G4 F2F2E2E2 D2D2C4 G2G2F2F2 E2E2D4 G2G2F2F2 E2E2D4 C2C2G2G2 A2A2G4 F2F2E2E2 D2D2C4",
  },
  {
    name: "joy",
    tonic: 2,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 0,
    notes:
      "^F2^F2G2A2 A2G2^F2E2 D2D2E2^F2 ^F3EE4 ^F2^F2G2A2 A2G2^F2E2 D2D2E2^F2 E3DD4 E2E2^F2D2 E2^FG^F2D2 E2^FG^F2E2 D2E2A,4 ^F2^F2G2A2 A2G2^F2E2 D2D2E2^F2 E3DD4",
  },
  {
    name: "irish washerwoman",
    tonic: 7,
    isMinor: false,
    unitsPerBeat: 3,
    upbeat: 2,
    notes:
      "dc BGGDGG BGBdcB cAAEAA cAcedc BGGDGG BGBdcB cBcAdc BGGGdc BGGDGG BGBdcB cAAEAA cAcedc BGGDGG BGBdcB cBcAdc BGGGga bggdgg bgbbag ^faada a ^fa^fag^f eggdgg cggBgg cBcAdc BGGGga",
  },
  {
    name: "drunken sailor",
    tonic: 2,
    isMinor: true,
    unitsPerBeat: 2,
    upbeat: 0,
    notes:
      "A2AAA2AA A2D2F2A2 G2GGG2GG G2C2E2G2 A2AAA2AA A2B2c2d2 c2A2G2E2 D4D4 A4A4 A2D2F2A2 G4G4 G2C2E2G2 A4A4 A2B2c2d2 c2A2G2E2 D4D4",
  },
  {
    name: "auld lang syne",
    tonic: 5,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 2,
    notes:
      "C2 F3FF2A2 G3FG2A2 F3FA2c2 d6d2 c3AA2F2 G3FG2A2 F3DD2C2 F6d2 c3AA2F2 G3FG2d2 c3AA2c2 d6f2 c3AA2F2 G3FG2A2 F3DD2C2 F6",
  },
  {
    name: "greensleeves",
    tonic: 9,
    isMinor: true,
    unitsPerBeat: 3,
    upbeat: 1,
    notes:
      "A c2de3/2^f/2e d2BG3/2A/2B c2AA3/2^G/2A B2^GE2A c2de3/2^f/2e d2BG3/2A/2B c3/2B/2A^G3/2^F/2^G A3A3 g3g3/2^f/2e d2BG3/2A/2B c2AA3/2^G/2A B2^GE3 g3g3/2^f/2e d2BG3/2A/2B c3/2B/2A^G3/2^F/2^G A3A3",
  },
  {
    name: "when the saints",
    tonic: 0,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 6,
    notes: "C2E2F2 G8 z2C2E2F2 G8 z2C2E2F2 G4E4 C4E4 D8 z2E2E2D2 C6C2 E4G4 G2F6 z4E2F2 G4E4 C4D4 C8",
  },
  {
    name: "amazing grace",
    tonic: 7,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 2,
    notes: "D2 G4BG B4A2 G4E2 D4D2 G4BG B4A2 d6 z2z2B2 d4BG B4A2 G4E2 D4D2 G4BG B4A2 G6 z4",
  },
  {
    name: "swallowtail",
    tonic: 4,
    isMinor: true,
    unitsPerBeat: 3,
    upbeat: 0,
    notes:
      "GEEBEE GEEBAG ^FDDADD d2ed^c_B GEEBEE GEEB2c d^cdAG^F GEEE3 Be^fgeg ^fe^fgec Be^fgeg ^fdde^f^c Be^fgeg ^fe^fgec d^cdAG^F GEEE3",
  },
  {
    name: "korobeiniki",
    tonic: 4,
    isMinor: true,
    unitsPerBeat: 2,
    upbeat: 0,
    notes: "e4B2c2 d4c2B2 A4A2c2 e4d2c2 B6c2 d4e4 c4A4 A8 z2d4f2 a4g2f2 e6c2 e4d2c2 B4B2c2 d4e4 c4A4 A8",
  },
  {
    name: "yankee doodle",
    tonic: 7,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 0,
    notes: "GGAB GBAD GGAB G2^F2 GGAB cBAG ^FDE^F G2G2 EFED EFG2 DEDC B,2D2 EFED EFGE DG^FA G2G2",
  },
  {
    name: "scarborough",
    tonic: 9,
    isMinor: true,
    unitsPerBeat: 2,
    upbeat: 0,
    notes: "A4A2 e4e2 B3cB2 A6 z2e2g2 a4g2 e2^f2d2 e6 z4a2 a4a2 g4e2 e2d2c2 B2G4 A4e2 d4c2 B2A2G2 A6",
  },
  {
    name: "oh susanna",
    tonic: 2,
    isMinor: false,
    unitsPerBeat: 2,
    upbeat: 2,
    notes:
      "DE ^F2A2A3B A2^F2D3E ^F2^F2E2D2 E6DE ^F2A2A3B A2^F2D3E ^F2^F2E2E2 D8 G4G4 B2B4B2 A2A2^F2D2 E6DE ^F2A2A3B A2^F2D3E ^F2^F2E2E2 D6",
  },
  {
    name: "silent night",
    tonic: 0,
    isMinor: false,
    unitsPerBeat: 3,
    upbeat: 0,
    notes:
      "G3/2A/2GE3 G3/2A/2GE3 d2dB3 c2cG3 A2Ac3/2B/2A G3/2A/2GE3 A2Ac3/2B/2A G3/2A/2GE3 d2df3/2d/2B c3e3 c3/2G/2EG3/2F/2D C6",
  },
];

const STEPS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const TOKEN = /([_^=]?)([A-Ga-gz])([,']*)(\d*)(\/?)(\d*)/g;

/** Returns a tune's notes: units of its notation and MIDI pitches, undefined for a rest. */
export function readTune({ notes }: Tune): { units: number; pitch: number | undefined }[] {
  return [...notes.matchAll(TOKEN)].map(
    ([, accidental, letter = "", octaves = "", count, slash, divisor]) => ({
      units: Number(count || 1) / (slash ? Number(divisor || 2) : 1),
      pitch: letter === "z" ? undefined : pitchOf(letter, accidental ?? "", octaves),
    }),
  );
}

function pitchOf(letter: string, accidental: string, octaves: string): number {
  const isHigh = letter !== letter.toUpperCase();
  const shift = { "^": 1, _: -1 }[accidental] ?? 0;
  const octave = [...octaves].reduce((sum, mark) => sum + (mark === "," ? -1 : 1), isHigh ? 1 : 0);
  return 60 + 12 * octave + (STEPS[letter.toUpperCase()] ?? 0) + shift;
}
