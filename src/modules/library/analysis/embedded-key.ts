/** Names of the pitch classes as a key's tonic, from C up, in the spelling of measured keys. */
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;
const NATURALS: Readonly<Record<string, number>> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 };
const FIFTH = 7;
/** Semitones from a major tonic up to the tonic of its relative minor. */
const RELATIVE_MINOR = 9;

const SPELLED = /^([a-g])\s*(#|♯|sharp|b|♭|flat)?\s*(.*)$/i;
const MINOR = /^(m|min\.?|minor|moll|aeolian)$/i;
const MAJOR = /^(|maj\.?|major|dur|ionian)$/i;
/** Camelot: the wheel of fifths from 8B = C major, A is minor. */
const CAMELOT = /^0?([1-9]|1[0-2])([AB])$/i;
/** Open Key: the wheel of fifths from 1d = C major, m is minor. */
const OPEN_KEY = /^0?([1-9]|1[0-2])([dm])$/i;

/**
 * Converts a key written in a file ("F#m", "Gb minor", "4A", "9m"; not "fis") to the name of a measured key
 * ("F# minor"). Returns undefined when the text names no key.
 */
export function parseEmbeddedKey(text: string): string | undefined {
  const key = text.trim();
  return wheelKey(CAMELOT.exec(key), 8) ?? wheelKey(OPEN_KEY.exec(key), 1) ?? spelledKey(key);
}

function wheelKey(match: RegExpExecArray | null, hourOfC: number): string | undefined {
  if (!match) return undefined;
  const major = FIFTH * (Number(match[1]) - hourOfC + 12);
  return /[am]/i.test(match[2] ?? "") ? keyName(major + RELATIVE_MINOR, "minor") : keyName(major, "major");
}

function spelledKey(key: string): string | undefined {
  const [, letter = "", accidental = "", mode = ""] = SPELLED.exec(key) ?? [];
  const natural = NATURALS[letter.toLowerCase()];
  if (natural === undefined) return undefined;
  const shift = accidental === "" ? 0 : /^(#|♯|sharp)$/i.test(accidental) ? 1 : -1;
  // A capital M alone is major, a small m minor.
  if (mode === "M" || MAJOR.test(mode)) return keyName(natural + shift, "major");
  return MINOR.test(mode) ? keyName(natural + shift, "minor") : undefined;
}

const keyName = (pitchClass: number, mode: "major" | "minor") => `${TONICS[(pitchClass + 12) % 12]} ${mode}`;
