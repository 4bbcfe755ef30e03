import { ENCODINGS, type Encoding } from "../../../media/encoder.ts";

/** What determines whether an original is played as it is. Null means unknown. */
export type Sound = {
  container: string;
  /** The name in the file's headers. */
  codec: string | null;
  lossless: boolean | null;
  /** Average over the whole file, bits per second. */
  bitrateBps: number | null;
};

/** Containers that current browsers play when the codec inside is a common one. */
const PLAYABLE_CONTAINERS: readonly string[] = ["mp3", "ogg", "mp4", "adts", "wav", "flac"];
/** Codecs that some browsers do not play, even in containers that they know. */
const UNPLAYABLE_CODEC = /layer (1|2|i|ii)\b|ac-?3|alac|apple lossless/i;
const LOSSLESS_CONTAINERS: readonly string[] = ["wav", "flac"];
/** Too much for a listener on a mobile network: above the best MP3. */
const HEAVY_BPS = 350_000;

/**
 * Returns the encodings to make from an original: none if it is small and every browser plays it; only AAC for small
 * Ogg, which Safari plays only since 18.4; both if it is lossless, large, or not playable in browsers.
 */
export function neededEncodings(sound: Sound): readonly Encoding[] {
  if (isForFewOrHeavy(sound)) return ENCODINGS;
  return sound.container === "ogg" ? ["aac"] : [];
}

/** Of these, the codec says whether they are lossless, which is unknown until they are measured. */
const CONTAINERS_OF_BOTH: readonly string[] = ["ogg", "mp4"];

/** True when every browser plays an original as it is and it is small, so that players get the original itself. */
export function isPlayedAsIs(sound: Sound): boolean {
  if (sound.lossless === null && CONTAINERS_OF_BOTH.includes(sound.container)) return false;
  return !isForFewOrHeavy(sound);
}

function isForFewOrHeavy({ container, codec, lossless, bitrateBps }: Sound): boolean {
  if (!PLAYABLE_CONTAINERS.includes(container)) return true;
  if (codec !== null && UNPLAYABLE_CODEC.test(codec)) return true;
  return lossless === true || LOSSLESS_CONTAINERS.includes(container) || (bitrateBps ?? 0) > HEAVY_BPS;
}
