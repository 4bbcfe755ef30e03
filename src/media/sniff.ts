import { id3v2Bytes, isSameStream, parseMpegHeader } from "./mpeg-header.ts";

/** The file formats that are taken in. */
export type Container = "wav" | "w64" | "aiff" | "flac" | "mp3" | "ogg" | "mp4" | "adts" | "caf";

/** What a file's first bytes say it is. */
export type AudioFormat = {
  container: Container;
  /** Absent where the first bytes do not tell: an MP4 holds AAC or ALAC, a WAV any PCM. */
  codec?: "flac" | "mp3" | "vorbis" | "opus" | "aac";
  mediaType: string;
  /** Without the dot. */
  extension: string;
};

const FORMATS: Readonly<Record<Container, AudioFormat>> = {
  wav: { container: "wav", mediaType: "audio/wav", extension: "wav" },
  w64: { container: "w64", mediaType: "audio/x-w64", extension: "w64" },
  aiff: { container: "aiff", mediaType: "audio/aiff", extension: "aiff" },
  flac: { container: "flac", codec: "flac", mediaType: "audio/flac", extension: "flac" },
  mp3: { container: "mp3", codec: "mp3", mediaType: "audio/mpeg", extension: "mp3" },
  ogg: { container: "ogg", mediaType: "audio/ogg", extension: "ogg" },
  mp4: { container: "mp4", mediaType: "audio/mp4", extension: "m4a" },
  adts: { container: "adts", codec: "aac", mediaType: "audio/aac", extension: "aac" },
  caf: { container: "caf", mediaType: "audio/x-caf", extension: "caf" },
};

const MAGIC: readonly (readonly [Container, RegExp])[] = [
  ["wav", /^(RIFF|RF64|BW64).{4}WAVE/s],
  ["aiff", /^FORM.{4}AIF[FC]/s],
  ["flac", /^fLaC/],
  ["caf", /^caff/],
];
const W64_RIFF_GUID = "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00";
// Brands of MP4 and QuickTime files that can carry sound; still-image brands (heic, avif) are not here.
const MP4_BRANDS = /^(M4[ABPV] |mp4[12]|iso[2-9m]|qt {2}|3g[p2].|dash|f4[abv] |MSNV|cmf[ac2]|avc1)$/;

/**
 * Tells what audio file starts with `head`, or undefined when it is none that is taken in. Looks at bytes
 * only, never at a name or a declared type, and never parses past the headers: a file that is recognised
 * may still fail to decode (an MP4 without sound, an ID3 tag with nothing behind it).
 *
 * @param head The first 64 KB of the file, or all of a shorter one.
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const tagBytes = id3v2Bytes(head);
  // Cover art can fill the whole head; what wears an ID3 tag that large is an MP3 in practice.
  if (tagBytes > 0 && tagBytes + 4 > head.length) return FORMATS.mp3;
  const body = head.subarray(tagBytes);

  const container = sniffMagic(body);
  if (container) return FORMATS[container];
  if (textAt(body, 0, 4) === "OggS") return sniffOgg(body);
  if (isAdts(body)) return FORMATS.adts;
  if (isMp3(body, tagBytes > 0)) return FORMATS.mp3;
  return undefined;
}

function sniffMagic(body: Uint8Array): Container | undefined {
  if (textAt(body, 0, 16) === W64_RIFF_GUID && textAt(body, 24, 4) === "wave") return "w64";
  // One string of what matters, so that each format is one line: magic, then the form type at byte 8.
  const magic = textAt(body, 0, 12);
  const match = MAGIC.find(([, pattern]) => pattern.test(magic));
  if (match) return match[0];
  return magic.slice(4, 8) === "ftyp" && MP4_BRANDS.test(magic.slice(8)) ? "mp4" : undefined;
}

/** The first packet of an Ogg stream names its codec; other streams (a skeleton, a picture) may come before. */
function sniffOgg(body: Uint8Array): AudioFormat | undefined {
  let offset = 0;
  while (textAt(body, offset, 4) === "OggS") {
    const segments = body[offset + 26] ?? 0;
    const packet = offset + 27 + segments;
    const lacing = body.subarray(offset + 27, packet);
    const codec = oggCodec(textAt(body, packet, 8));
    if (codec) return { ...FORMATS.ogg, codec, extension: codec === "opus" ? "opus" : "ogg" };
    offset = packet + lacing.reduce((sum, length) => sum + length, 0);
  }
  return undefined;
}

function oggCodec(start: string): "vorbis" | "opus" | "flac" | undefined {
  if (start === "OpusHead") return "opus";
  if (start.startsWith("\x01vorbis")) return "vorbis";
  return start.startsWith("\x7fFLAC") ? "flac" : undefined;
}

/** Three frames in a row, or two that fill a short file: a lone sync word turns up in any random bytes. */
function isMp3(body: Uint8Array, isTagged: boolean): boolean {
  for (let start = body.indexOf(0xff); start >= 0; start = body.indexOf(0xff, start + 1)) {
    const { frames, end } = countFrames(body, start);
    const isWholeFile = start === 0 && end >= body.length;
    if (frames >= 3 || (isWholeFile && frames >= (isTagged ? 1 : 2))) return true;
  }
  return false;
}

function countFrames(body: Uint8Array, start: number): { frames: number; end: number } {
  const first = parseMpegHeader(body, start);
  let end = start;
  let frames = 0;
  for (let header = first; first && header && frames < 3; header = parseMpegHeader(body, end)) {
    if (!isSameStream(first, header)) break;
    frames += 1;
    end += header.frameBytes;
  }
  return { frames, end };
}

/** @see ISO/IEC 13818-7, 6.2: 12 sync bits, layer 00, 13 bits of frame length from bit 30. */
function isAdts(body: Uint8Array): boolean {
  let offset = 0;
  for (let frames = 0; frames < 3; frames += 1) {
    const [b0, b1 = 0, , b3 = 0, b4 = 0, b5 = 0] = body.subarray(offset, offset + 7);
    if (b0 !== 0xff || (b1 & 0xf6) !== 0xf0) return false;
    const frameBytes = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5);
    if (frameBytes < 8) return false;
    offset += frameBytes;
    if (offset >= body.length) return frames >= 1;
  }
  return true;
}

const textAt = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
