import { barePicture } from "./bare-picture.ts";
import {
  ORIGINAL_FILE,
  PICTURE_FILE,
  PICTURE_SIDE_PX,
  THUMBNAIL_FILE,
  THUMBNAIL_SIDE_PX,
} from "./picture-format.ts";

/** More than any camera or scan used for a cover; 200 MB when decoded. */
const MAX_PIXELS = 50_000_000;
/** For a picture with one extremely long row, a decoder needs far more memory than for its pixels. */
const MAX_SIDE_PX = 20_000;
const PICTURE_QUALITY = 86;
const THUMBNAIL_QUALITY = 80;

/**
 * Renders a picture again, once large and once small, into files of the working folder. JPEG stays JPEG; anything
 * else becomes WebP, which keeps transparency. Of an animation only the first frame is kept. Only the pixels and
 * their colour profile are copied. A third file is the picture itself, without what it says beside its pixels; it is left out if that
 * does not succeed. Runs only in a child: the bytes are untrusted.
 *
 * @throws The decoder's error when it cannot read the file; Error when the picture is too large.
 */
export async function renderPicture(path: string): Promise<void> {
  const bytes = await Bun.file(path).bytes();
  const bare = barePicture(bytes);
  if (bare)
    try {
      await draw(bare);
      return void (await Bun.write(ORIGINAL_FILE, bare));
    } catch {
      // It was not followed as decoders follow it.
    }
  await draw(bytes);
}

async function draw(bytes: Uint8Array): Promise<void> {
  const { width, height, format } = await open(bytes).metadata();
  if (Math.max(width, height) > MAX_SIDE_PX) throw new Error(`A picture of ${width} x ${height} pixels`);
  const drawAt = async (name: string, sidePx: number, quality: number) => {
    const sized = open(bytes).resize(sidePx, sidePx, { fit: "inside", withoutEnlargement: true });
    const encoded = format === "jpeg" ? sized.jpeg({ quality, progressive: true }) : sized.webp({ quality });
    await Bun.write(name, await encoded.bytes());
  };
  await drawAt(PICTURE_FILE, PICTURE_SIDE_PX, PICTURE_QUALITY);
  await drawAt(THUMBNAIL_FILE, THUMBNAIL_SIDE_PX, THUMBNAIL_QUALITY);
}

const open = (bytes: Uint8Array) => new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
