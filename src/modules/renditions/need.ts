import { ENCODINGS, type Encoding } from "../../media/encoder.ts";

/** What decides whether an original is played as it is. Null where nobody knows. */
export type Sound = {
  container: string;
  /** As the file's headers name it. */
  codec: string | null;
  lossless: boolean | null;
  /** Over the whole file, bits a second. */
  bitrateBps: number | null;
};

/** What current browsers play, when the codec inside is a usual one. */
const PLAYABLE_CONTAINERS: readonly string[] = ["mp3", "ogg", "mp4", "adts", "wav", "flac"];
/** In containers that browsers know, what some of them do not play. */
const UNPLAYABLE_CODEC = /layer (1|2|i|ii)\b|ac-?3|alac|apple lossless/i;
const LOSSLESS_CONTAINERS: readonly string[] = ["wav", "flac"];
/** More than a listener on the road should have to wait for: above MP3 at its best. */
const HEAVY_BPS = 350_000;

/**
 * Returns what is made of an original for listening: nothing of one that every browser plays and that is light, AAC
 * alone of light Ogg, which Safari plays since 18.4 only, and both of what is lossless, heavy, or not for browsers.
 */
export function neededEncodings(sound: Sound): readonly Encoding[] {
  if (isForFewOrHeavy(sound)) return ENCODINGS;
  return sound.container === "ogg" ? ["aac"] : [];
}

function isForFewOrHeavy({ container, codec, lossless, bitrateBps }: Sound): boolean {
  if (!PLAYABLE_CONTAINERS.includes(container)) return true;
  if (codec !== null && UNPLAYABLE_CODEC.test(codec)) return true;
  return lossless === true || LOSSLESS_CONTAINERS.includes(container) || (bitrateBps ?? 0) > HEAVY_BPS;
}
