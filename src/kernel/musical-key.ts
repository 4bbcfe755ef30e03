/** A key in the form used for comparison: spelling and notation do not matter. */
export type MusicalKey = {
  /** Pitch class of the tonic, 0 (C) to 11 (B). */
  pitch: number;
  /** Null: only the tonic is known. */
  mode: Mode | null;
};
export type Mode = "major" | "minor";

const NATURALS: Readonly<Record<string, number>> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 };
const TONIC_NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;
/** Semitones of a fifth, the step of the Camelot wheel. */
const FIFTH = 7;
/** Pitch class of 1A, A flat minor; 1B is B major, three semitones above. */
const CAMELOT_ORIGIN = 8;

/** Returns the pitch class of a note letter with an optional accidental (`#`, `sharp`, `b`, `flat`). */
export function pitchOf(letter: string, accidental: string | undefined): number {
  const natural = NATURALS[letter.toLowerCase()] ?? 0;
  const shift = accidental ? (/^(#|sharp)$/.test(accidental) ? 1 : -1) : 0;
  return (natural + shift + 12) % 12;
}

/** Returns the key at a place of the Camelot wheel: `8`, `a` is A minor. `hour` is 1 to 12. */
export function camelotKey(hour: number, letter: string): MusicalKey {
  const minor = (CAMELOT_ORIGIN + FIFTH * (hour - 1)) % 12;
  return letter.toLowerCase() === "a"
    ? { pitch: minor, mode: "minor" }
    : { pitch: (minor + 3) % 12, mode: "major" };
}

/**
 * Reads a whole text as a key: `F# minor`, `Gbm`, `g flat min`, `F♯`, `Bb maj`, `11A`. Undefined when it is not a
 * key.
 */
export function parseKey(text: string): MusicalKey | undefined {
  const plain = text.normalize("NFKC").trim().replaceAll("♯", "#").replaceAll("♭", "b");
  const wheel = /^(1[0-2]|0?[1-9])\s?([ab])$/i.exec(plain);
  if (wheel?.[1] && wheel[2]) return camelotKey(Number(wheel[1]), wheel[2]);

  const note = /^([a-g])(?:\s*[- ]?\s*(#|b|sharp|flat))?\s*[-: ]?\s*(major|maj|minor|min|m)?\.?$/i.exec(
    plain,
  );
  if (!note?.[1]) return undefined;
  return { pitch: pitchOf(note[1], note[2]?.toLowerCase()), mode: modeOf(note[3]) };
}

function modeOf(word: string | undefined): Mode | null {
  if (word === undefined) return null;
  // `CM` is C major and `Cm` is C minor. Longer words are read in any case.
  if (word === "M") return "major";
  return word.toLowerCase().startsWith("maj") ? "major" : "minor";
}

/** True when a track in `key` matches the key asked for. An `asked` key without a mode matches both modes. */
export function isSameKey(asked: MusicalKey, key: MusicalKey): boolean {
  return asked.pitch === key.pitch && (asked.mode === null || asked.mode === key.mode);
}

/** Returns how far two keys with modes are apart on the Camelot wheel, 0 (the same) to 7 steps. */
export function wheelDistance(a: MusicalKey, b: MusicalKey): number {
  const hours = (key: MusicalKey) => ((key.pitch - (key.mode === "major" ? 3 : 0) + 12) * FIFTH) % 12;
  const apart = Math.abs(hours(a) - hours(b));
  return Math.min(apart, 12 - apart) + (a.mode === b.mode ? 0 : 1);
}

/** Returns the usual name: `F# minor`, or `F#` when there is no mode. */
export function keyName({ pitch, mode }: MusicalKey): string {
  const tonic = TONIC_NAMES[pitch] ?? "C";
  return mode === null ? tonic : `${tonic} ${mode}`;
}
