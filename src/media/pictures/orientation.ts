/** A picture that is shown as its pixels lie. */
export const UPRIGHT = 1;

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** Returns which side of a picture is up (Exif 3.0, 4.6.5.1.6), from 1 to 8; {@link UPRIGHT} where that is not said. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return UPRIGHT;
  const isLittle = order === "II";
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return UPRIGHT;
  const entries = short(directory);
  for (let n = 0, at = directory + 2; n < entries && at + ENTRY_BYTES <= tiff.length; n++, at += ENTRY_BYTES)
    if (short(at) === ORIENTATION && short(at + 2) === SHORT) return known(short(at + 8));
  return UPRIGHT;
}

const known = (orientation: number) => (orientation >= 1 && orientation <= 8 ? orientation : UPRIGHT);

/** Returns a TIFF header that says which side of a picture is up, and nothing else. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write("MM\0\x2a\0\0\0\x08\0\x01", "latin1");
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(SHORT, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
