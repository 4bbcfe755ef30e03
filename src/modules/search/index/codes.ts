import type { Mode, MusicalKey } from "../../../kernel/musical-key.ts";

/** Keys and languages as small numbers, for columns. */
const MODES: readonly (Mode | null)[] = [null, "major", "minor"];
const LETTERS = 26;
const LETTER_A = 97;
/** Languages begin here. */
const FIRST_LANGUAGE = 2;

/** No key, or one that cannot be read. */
export const NO_KEY = 255;
/** No language, and no words that could tell. */
export const NO_LANGUAGE = 0;
/** No language is written; the lyrics have not been looked at yet. */
export const UNREAD_LYRICS = 1;

/** Returns 0 to 35 for a key. */
export function keyCode({ pitch, mode }: MusicalKey): number {
  return pitch * MODES.length + MODES.indexOf(mode);
}

/** Returns the key of a code, undefined for {@link NO_KEY}. */
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
