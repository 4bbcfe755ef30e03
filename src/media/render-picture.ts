import { PICTURE_FILE, PICTURE_SIDE_PX, THUMBNAIL_FILE, THUMBNAIL_SIDE_PX } from "./picture-format.ts";

/** More than any camera or scan that becomes a cover, and 200 MB decoded. */
const MAX_PIXELS = 50_000_000;
/** A picture of one endless row takes a decoder far more memory than its pixels. */
const MAX_SIDE_PX = 20_000;
const PICTURE_QUALITY = 86;
const THUMBNAIL_QUALITY = 80;

/**
 * Draws a picture anew, once large and once small, into files of the working folder: JPEG stays JPEG, anything else
 * becomes WebP, which keeps transparency; of an animation the first frame. Nothing of the file but its pixels and
 * their colour profile survives. Runs in a child only: the bytes are a stranger's.
 *
 * @throws Error of the decoder when it cannot make sense of the file, or when it is larger than it may be.
 */
export async function renderPicture(path: string): Promise<void> {
  const bytes = await Bun.file(path).bytes();
  const { width, height, format } = await open(bytes).metadata();
  if (Math.max(width, height) > MAX_SIDE_PX) throw new Error(`A picture of ${width} x ${height} pixels`);
  const draw = async (name: string, sidePx: number, quality: number) => {
    const sized = open(bytes).resize(sidePx, sidePx, { fit: "inside", withoutEnlargement: true });
    const encoded = format === "jpeg" ? sized.jpeg({ quality, progressive: true }) : sized.webp({ quality });
    await Bun.write(name, await encoded.bytes());
  };
  await draw(PICTURE_FILE, PICTURE_SIDE_PX, PICTURE_QUALITY);
  await draw(THUMBNAIL_FILE, THUMBNAIL_SIDE_PX, THUMBNAIL_QUALITY);
}

const open = (bytes: Uint8Array) => new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
