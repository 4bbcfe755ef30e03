import { readHead } from "../../kernel/files.ts";
import { findMpegFrames } from "./mpeg-frames.ts";
import { id3v2Bytes } from "./mpeg-header.ts";

/** The accepted file formats. Only ffmpeg decodes those on the last two lines. */
export type Container =
  | ("wav" | "aiff" | "flac" | "mp3" | "ogg")
  | ("w64" | "mp4" | "adts" | "caf")
  | ("mp2" | "ac3" | "asf" | "wv" | "tta" | "ape" | "dsf" | "au" | "webm");

/** A file's format, according to its first bytes. */
export type AudioFormat = {
  container: Container;
  /** Absent when the first bytes do not show it: an MP4 holds AAC or ALAC, a WAV any PCM. */
  codec?: "flac" | "mp3" | "vorbis" | "opus" | "aac" | "mp2" | "ac3" | "tta";
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
  mp2: { container: "mp2", codec: "mp2", mediaType: "audio/mpeg", extension: "mp2" },
  ac3: { container: "ac3", codec: "ac3", mediaType: "audio/ac3", extension: "ac3" },
  asf: { container: "asf", mediaType: "audio/x-ms-wma", extension: "wma" },
  wv: { container: "wv", mediaType: "audio/x-wavpack", extension: "wv" },
  tta: { container: "tta", codec: "tta", mediaType: "audio/x-tta", extension: "tta" },
  ape: { container: "ape", mediaType: "audio/x-ape", extension: "ape" },
  dsf: { container: "dsf", mediaType: "audio/x-dsf", extension: "dsf" },
  au: { container: "au", mediaType: "audio/basic", extension: "au" },
  webm: { container: "webm", mediaType: "audio/webm", extension: "webm" },
};

const MEDIA_TYPES: ReadonlySet<string> = new Set(Object.values(FORMATS).map(({ mediaType }) => mediaType));

/** True for the media type of an accepted format. */
export const isMediaType = (text: string): boolean => MEDIA_TYPES.has(text);

const MAGIC: readonly (readonly [Container, RegExp])[] = [
  ["wav", /^(RIFF|RF64|BW64).{4}WAVE/s],
  ["aiff", /^FORM.{4}AIF[FC]/s],
  ["flac", /^fLaC/],
  ["caf", /^caff/],
  ["wv", /^wvpk/],
  ["tta", /^TTA1/],
  ["ape", /^MAC /],
  ["dsf", /^DSD /],
  ["au", /^\.snd/],
];
/**
 * The first bytes of other kinds of files, which may contain an MP3 but are not one: archives, films, pictures,
 * documents.
 */
const OTHER_FILES =
  "RIFF RIFX FORM PK\x03\x04 Rar! 7z\xbc \x1f\x8b \x1aE\xdf\xa3 \0\0\x01\xb3 \0\0\x01\xba FLV\x01 CWS FWS %PDF \x89PNG GIF8 \xff\xd8\xff MZ \x7fELF".split(
    " ",
  );
const ASF_GUID = "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c";
const W64_RIFF_GUID = "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00";
// Brands of MP4 and QuickTime files that can carry sound. Still-image brands (heic, avif) are left out.
const MP4_BRANDS = /^(M4[ABPV] |mp4[12]|iso[2-9m]|qt {2}|3g[p2].|dash|f4[abv] |MSNV|cmf[ac2]|avc1)$/;

/**
 * Returns the format of the audio file that starts with `head`, or undefined when the format is not accepted. It
 * reads only bytes, never a name or a declared type, and never parses past the headers: a recognised file may still
 * fail to decode (an MP4 without sound, an ID3 tag with nothing after it).
 *
 * @param head The first `HEAD_BYTES` of the file, or the whole of a shorter one.
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const tagBytes = id3v2Bytes(head);
  // Cover art can fill the whole head. In practice a file with such a large ID3 tag is an MP3.
  if (tagBytes > 0 && tagBytes + 4 > head.length) return FORMATS.mp3;
  const body = head.subarray(tagBytes);

  const container = sniffMagic(body);
  if (container) return FORMATS[container];
  if (textAt(body, 0, 4) === "OggS") return sniffOgg(body);
  if (isInSync(body, adtsFrameBytes)) return FORMATS.adts;
  if (isInSync(body, ac3FrameBytes)) return FORMATS.ac3;
  if (isOtherFile(body)) return undefined;
  const frames = findMpegFrames(body, tagBytes > 0);
  return frames && FORMATS[frames.layer === 2 ? "mp2" : "mp3"];
}

/** Returns the format of an audio file on disk, see {@link sniffAudio}. */
export async function sniffFile(path: string): Promise<AudioFormat | undefined> {
  return sniffAudio(await readHead(path));
}

function sniffMagic(body: Uint8Array): Container | undefined {
  if (textAt(body, 0, 16) === ASF_GUID) return "asf";
  if (textAt(body, 0, 16) === W64_RIFF_GUID && textAt(body, 24, 4) === "wave") return "w64";
  // One string with everything needed, so each format is one line: magic, then the form type at byte 8.
  if (isWebm(body)) return "webm";
  const magic = textAt(body, 0, 12);
  const match = MAGIC.find(([, pattern]) => pattern.test(magic));
  if (match) return match[0];
  return magic.slice(4, 8) === "ftyp" && MP4_BRANDS.test(magic.slice(8)) ? "mp4" : undefined;
}

const MAX_EBML_HEADER = 64;

/** What browsers record in: the EBML header says its kind (RFC 8794, 11.2.6). Matroska files are films. */
const isWebm = (body: Uint8Array): boolean =>
  textAt(body, 0, 4) === "\x1aE\xdf\xa3" && textAt(body, 4, MAX_EBML_HEADER).includes("\x42\x82\x84webm");

/** The first packet of an Ogg stream names its codec. Other streams (a skeleton, a picture) may come first. */
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

/** True for a file of another kind. An MPEG transport stream and a tar archive do not start with a signature. */
function isOtherFile(body: Uint8Array): boolean {
  const start = textAt(body, 0, 8);
  const isTransport = [0, 188, 376].every((offset) => body[offset] === 0x47);
  const isNamed = start.endsWith("ftyp") || OTHER_FILES.some((name) => start.startsWith(name));
  return isNamed || isTransport || textAt(body, 257, 5) === "ustar";
}

/** True for three frames in a row, or at least two that fill a short file. */
function isInSync(body: Uint8Array, frameBytesAt: (frame: Uint8Array) => number): boolean {
  let offset = 0;
  for (let frames = 0; frames < 3; frames += 1) {
    const frameBytes = frameBytesAt(body.subarray(offset, offset + 7));
    if (frameBytes === 0) return false;
    offset += frameBytes;
    if (offset >= body.length) return frames >= 1;
  }
  return true;
}

/** @see ISO/IEC 13818-7, 6.2: 12 sync bits, layer 00, 13 bits of frame length from bit 30. */
export function adtsFrameBytes([b0, b1 = 0, , b3 = 0, b4 = 0, b5 = 0]: Uint8Array): number {
  if (b0 !== 0xff || (b1 & 0xf6) !== 0xf0) return 0;
  const frameBytes = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5);
  return frameBytes < 8 ? 0 : frameBytes;
}

const AC3_KBPS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

/** @see ETSI TS 102 366, 4.3.1 and table 4.13: sync word, sample rate and frame size code; bit stream version up to 10. */
export function ac3FrameBytes([b0, b1, , , b4 = 0, b5 = 0]: Uint8Array): number {
  const kbps = AC3_KBPS[(b4 & 63) >> 1];
  if (b0 !== 0x0b || b1 !== 0x77 || !kbps || b5 >> 3 > 10) return 0;
  const words = [2 * kbps, Math.floor((320 * kbps) / 147) + (b4 & 1), 3 * kbps][b4 >> 6] ?? 0;
  return 2 * words;
}

const textAt = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
