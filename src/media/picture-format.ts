/** A cover as it is shown: drawn anew from its pixels, upright, and without anything else that was in the file. */
export type RenderedPicture = {
  mediaType: "image/jpeg" | "image/webp";
  picture: Uint8Array;
  thumbnail: Uint8Array;
};

/** Longest side of a picture, pixels; smaller ones keep their size. */
export const PICTURE_SIDE_PX = 1600;
/** Longest side of a thumbnail, pixels. */
export const THUMBNAIL_SIDE_PX = 400;

/** Names of what the rendering child writes into its working folder. */
export const PICTURE_FILE = "picture";
export const THUMBNAIL_FILE = "thumbnail";
