import type { TimedLine } from "../lyrics/lines.ts";

/** The tags in a file. Absent where the file has none; text is trimmed and limited in length. */
export type MediaTags = {
  title?: string;
  artist?: string;
  album?: string;
  albumArtist?: string;
  composer?: string;
  /** 1000 to 9999. */
  year?: number;
  isrc?: string;
  /** As written: "Am", "8A", "C# minor". */
  key?: string;
  /** 1 to 999. */
  bpm?: number;
  genres?: string[];
  trackNumber?: number;
  discNumber?: number;
  totalTracks?: number;
  totalDiscs?: number;
  label?: string;
  catalogueNumber?: string;
  /** Digits only: a UPC or an EAN, unchecked. */
  barcode?: string;
  /** True: the file says that its album has songs of several artists. */
  isCompilation?: boolean;
  lyrics?: string;
  /** When its lines are sung, where the file says so. */
  timedLyrics?: TimedLine[];
  comment?: string;
};

/** What a file declares about itself; null where it declares nothing. */
export type MediaDescription = {
  codec: string | null;
  lossless: boolean | null;
  sampleRateHz: number | null;
  channels: number | null;
  bitDepth: number | null;
  bitrateBps: number | null;
  declaredDurationSec: number | null;
  tags: MediaTags;
};

/** A cover picture. `mediaType` follows from its bytes, not from the tag. */
export type Artwork = { mediaType: ArtworkType; bytes: Uint8Array };

/** The accepted picture formats. */
export type ArtworkType = "image/jpeg" | "image/png" | "image/webp" | "image/gif";

/** The result of `probeFile`. */
export type MediaProbe = MediaDescription & { artwork?: Artwork };

/** Name of the cover picture in the probing child's working folder. */
export const ARTWORK_FILE = "artwork";

/** Larger covers are ignored. */
export const MAX_ARTWORK_BYTES = 15 * 1024 * 1024;

/** Returns a picture's format from its first bytes; undefined for formats that are not accepted. */
export function sniffPicture(bytes: Uint8Array): ArtworkType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(start) ? "image/webp" : undefined;
}
