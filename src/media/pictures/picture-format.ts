import type { ArtworkType } from "../tags/media-probe.ts";

/** A cover as it is shown: rendered again from its pixels, upright, and without anything else from the file. */
export type RenderedPicture = {
  mediaType: "image/jpeg" | "image/webp";
  picture: Uint8Array;
  thumbnail: Uint8Array;
  /** The file itself, without what it says beside its pixels. Undefined when that could not be taken out of it. */
  original: { mediaType: ArtworkType; bytes: Uint8Array } | undefined;
};

/** The longest side of a picture, in pixels. Smaller pictures keep their size. */
export const PICTURE_SIDE_PX = 1600;
/** The longest side of a thumbnail, in pixels. */
export const THUMBNAIL_SIDE_PX = 400;

/** Names of the files that the rendering child writes into its working folder. */
export const PICTURE_FILE = "picture";
export const THUMBNAIL_FILE = "thumbnail";
export const ORIGINAL_FILE = "original";
