import type { Mode, MusicalKey } from "../../../../kernel/musical-key.ts";

/** Modes by their place in a key's code. */
const MODES: readonly (Mode | null)[] = [null, "major", "minor"];
const LETTERS = 26;
const LETTER_A = 97;
/** The first number of a language. */
const FIRST_LANGUAGE = 2;

/** The code for a missing or unreadable key. */
export const NO_KEY = 255;
/** The number for a track with neither a written language nor lyrics that identify one. */
export const NO_LANGUAGE = 0;
/** The number for a track without a written language whose lyrics have not been checked yet. */
export const UNREAD_LYRICS = 1;

/** Returns 0 to 35 for a key. */
export function keyCode({ pitch, mode }: MusicalKey): number {
  return pitch * MODES.length + MODES.indexOf(mode);
}

/** Returns the key of a code; undefined for {@link NO_KEY}. */
export function keyOfCode(code: number): MusicalKey | undefined {
  if (code === NO_KEY) return undefined;
  return { pitch: Math.floor(code / MODES.length), mode: MODES[code % MODES.length] ?? null };
}

/** Returns the number of an ISO 639-1 code, or {@link NO_LANGUAGE} without one. */
export function languageNumber(code: string | undefined): number {
  if (code === undefined) return NO_LANGUAGE;
  const letter = (at: number) => code.charCodeAt(at) - LETTER_A;
  return FIRST_LANGUAGE + letter(0) * LETTERS + letter(1);
}
