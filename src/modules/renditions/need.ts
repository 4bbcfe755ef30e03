/** What decides whether an original is played as it is. Null where nobody knows. */
export type Sound = {
  container: string;
  /** As the file's headers name it. */
  codec: string | null;
  lossless: boolean | null;
  /** Over the whole file, bits a second. */
  bitrateBps: number | null;
};

/** What every current browser plays, when the codec inside is a usual one. */
const PLAYABLE_CONTAINERS: readonly string[] = ["mp3", "ogg", "mp4", "adts", "wav", "flac"];
/** In containers that browsers know, what some of them do not play. */
const UNPLAYABLE_CODEC = /layer (1|2|i|ii)\b|ac-?3|alac|apple lossless/i;
const LOSSLESS_CONTAINERS: readonly string[] = ["wav", "flac"];
/** More than a listener on the road should have to wait for: above MP3 at its best. */
const HEAVY_BPS = 350_000;

/** True when listeners are better served by a rendition: the original is lossless, heavy, or not for browsers. */
export function needsRendition({ container, codec, lossless, bitrateBps }: Sound): boolean {
  if (!PLAYABLE_CONTAINERS.includes(container)) return true;
  if (codec !== null && UNPLAYABLE_CODEC.test(codec)) return true;
  return lossless === true || LOSSLESS_CONTAINERS.includes(container) || (bitrateBps ?? 0) > HEAVY_BPS;
}
