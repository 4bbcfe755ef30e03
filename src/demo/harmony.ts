/** A key: `tonic` is its pitch class (0 = C, 11 = B), `scale` its seven notes in semitones above the tonic. */
export type Key = { tonic: number; scale: readonly number[]; isMinor: boolean };

/** A chord: its root's pitch class, its scale degree (0-6), and its tones in semitones above the root. */
export type Chord = { root: number; degree: number; tones: readonly number[] };

const MAJOR_SCALE = [0, 2, 4, 5, 7, 9, 11];
const MINOR_SCALE = [0, 2, 3, 5, 7, 8, 10];
const LETTERS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII"];

/** What a suffix adds to a triad, in semitones above the root. */
const EXTENSIONS: Record<string, readonly number[]> = {
  "": [],
  "6": [9],
  "7": [10],
  M7: [11],
  "9": [10, 14],
  M9: [11, 14],
  add9: [14],
};
/** Suffixes that replace the whole triad. */
const REPLACEMENTS: Record<string, readonly number[]> = {
  "5": [0, 7, 12],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
};

/** Returns the MIDI number of a note name with its octave: "C4" is 60, "Bb2" is 46. @throws RangeError otherwise. */
export function parsePitch(name: string): number {
  const [, letter = "", accidental = "", octave = ""] = /^([A-G])([#b]?)(-?\d)$/.exec(name) ?? [];
  const semitones = LETTERS[letter];
  if (semitones === undefined) throw new RangeError(`Not a note: ${name}`);
  return 12 * (Number(octave) + 1) + semitones + alteration(accidental);
}

/** Returns the key of a name such as "F minor" or "Bb major". @throws RangeError for anything else. */
export function parseKey(name: string): Key {
  const [, note = "", mode = ""] = /^([A-G][#b]?) (major|minor)$/.exec(name) ?? [];
  const isMinor = mode === "minor";
  return { tonic: parsePitch(`${note}4`) % 12, scale: isMinor ? MINOR_SCALE : MAJOR_SCALE, isMinor };
}

/**
 * Returns the chord a roman numeral names in a key: upper case is major, lower case minor, "o" diminished;
 * then "7", "M7", "9", "M9", "6", "add9", "5", "sus2" or "sus4". In F minor "i9" is F minor ninth, "VIM7" Db
 * major seventh.
 *
 * @throws RangeError when the numeral or its suffix is unknown.
 */
export function parseChord(numeral: string, key: Key): Chord {
  const [, accidental = "", roman = "", diminished, suffix = ""] =
    /^([#b]?)([IV]+|[iv]+)(o?)(.*)$/.exec(numeral) ?? [];
  const degree = NUMERALS.indexOf(roman.toUpperCase());
  const extension = EXTENSIONS[suffix];
  const replacement = REPLACEMENTS[suffix];
  if (degree < 0 || !(extension || replacement)) throw new RangeError(`Not a chord: ${numeral}`);
  const root = (key.tonic + (key.scale[degree] ?? 0) + alteration(accidental) + 12) % 12;
  const third = roman === roman.toUpperCase() && !diminished ? 4 : 3;
  const triad = [0, third, diminished ? 6 : 7];
  return { root, degree, tones: replacement ?? [...triad, ...(extension ?? [])] };
}

/** Returns how far scale degree `step` (0 = the tonic, 7 = its octave, -1 = below it) is above the tonic. */
export function semitonesInKey(key: Key, step: number): number {
  const octave = Math.floor(step / 7);
  return 12 * octave + (key.scale[step - 7 * octave] ?? 0);
}

/**
 * Returns how far the `step`th note (0 = root, 2 = third, 4 = fifth, 6 = seventh, 7 = octave) is above a
 * chord's root: the chord's own tone where it has one, else the key's.
 */
export function semitonesInChord(key: Key, chord: Chord, step: number): number {
  const octave = Math.floor(step / 7);
  const within = step - 7 * octave;
  const own = within % 2 === 0 ? chord.tones[within / 2] : undefined;
  const inKey = semitonesInKey(key, chord.degree + within) - semitonesInKey(key, chord.degree);
  return 12 * octave + (own !== undefined && own < 12 ? own : inKey);
}

/** Returns the frequency of a MIDI number in equal temperament, A4 (69) = 440 Hz. */
export function frequencyOf(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}

const alteration = (accidental: string) => (accidental === "#" ? 1 : accidental === "b" ? -1 : 0);
