import { MediaError } from "./media-error.ts";
import type { AudioFormat, Container } from "./sniff.ts";
import type { FfmpegInput } from "./view/audio-view.ts";

/** ffmpeg's names for the containers that are taken in. */
const DEMUXERS: Readonly<Record<Container, string>> = {
  wav: "wav",
  w64: "w64",
  aiff: "aiff",
  flac: "flac",
  mp3: "mp3",
  ogg: "ogg",
  mp4: "mov",
  adts: "aac",
  caf: "caf",
  mp2: "mp3",
  ac3: "ac3",
  asf: "asf",
  wv: "wv",
  tta: "tta",
  ape: "ape",
  dsf: "dsf",
  au: "au",
};

/** Sound only: a picture or video stream in a file must not reach a decoder at all. */
const DECODERS = [
  "mp3float,mp3,mp2float,mp2,aac,aac_fixed,alac,flac,vorbis,libvorbis,opus,libopus,ac3,eac3",
  "pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be",
  "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw",
  "adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,gsm_ms",
  "wavpack,tta,ape,wmav1,wmav2,wmapro,wmalossless,wmavoice",
  "dsd_lsbf,dsd_msbf,dsd_lsbf_planar,dsd_msbf_planar",
].join(",");

/** Of a DSD file, whose samples of one bit come out at 352.8 kHz and more: what is above is noise. */
const DSD_SAMPLE_RATE_HZ = 88_200;

/** A file for ffmpeg to read. `maxSec` is how much of it. */
export type FfmpegSource = { input: FfmpegInput; format: AudioFormat; maxSec: number };

/** What can be made of a file for listening; what is best where it is played comes first. */
export const ENCODINGS = ["opus", "aac"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Returns the command that decodes a file's first audio stream to a WAV stream of float samples on standard
 * output. The demuxer is forced and no protocol but the file's own is open: a playlist that wears an audio
 * name is neither followed nor read.
 */
export function ffmpegCommand(ffmpegPath: string, source: FfmpegSource): string[] {
  const rate = source.format.container === "dsf" ? ["-ar", String(DSD_SAMPLE_RATE_HZ)] : [];
  return [...soundOf(ffmpegPath, source), ...rate, "-c:a", "pcm_f32le", "-f", "wav", "pipe:1"];
}

/** How ffmpeg writes each; `file` is a file of the working folder, for a format that cannot be written in one go. */
const ENCODERS: Readonly<Record<Encoding, { file?: string; args: readonly string[] }>> = {
  opus: {
    args: [
      ...["-af", "aformat=sample_rates=48000:channel_layouts=mono|stereo"],
      ...["-c:a", "libopus", "-b:a", "128k", "-f", "ogg", "pipe:1"],
    ],
  },
  // The index in front: a player can begin, and jump, before it has the whole file.
  aac: {
    file: "listen.m4a",
    args: [
      ...["-af", "aformat=sample_rates=44100|48000:channel_layouts=mono|stereo"],
      ...["-c:a", "aac", "-b:a", "160k", "-movflags", "+faststart", "-f", "ipod", "listen.m4a"],
    ],
  },
};

/**
 * Returns the command that encodes a file's first audio stream for listening, mono or stereo, and the file in the working
 * folder that it writes; without one it writes to standard output. Held to the file as {@link ffmpegCommand} is; nothing
 * that the file says of itself is handed on.
 */
export function ffmpegEncodeCommand(
  ffmpegPath: string,
  source: FfmpegSource,
  encoding: Encoding,
): { command: string[]; file: string | undefined } {
  const { args, file } = ENCODERS[encoding];
  return { command: [...soundOf(ffmpegPath, source), ...args], file };
}

/** Everything of a command up to the encoder. */
function soundOf(ffmpegPath: string, { input: { url }, format, maxSec }: FfmpegSource): string[] {
  const input = ["-f", DEMUXERS[format.container], "-codec_whitelist", DECODERS, "-i", url];
  return [
    ...[ffmpegPath, "-hide_banner", "-nostdin", "-nostats", "-loglevel", "info"],
    ...["-protocol_whitelist", "file,subfile,concat,pipe"],
    ...["-format_whitelist", [...new Set(Object.values(DEMUXERS))].join(",")],
    ...["-threads", "1", ...input, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1"],
    ...["-t", String(maxSec), "-threads", "1", "-bitexact"],
  ];
}

/**
 * Reads the duration that ffmpeg found in the file's headers, seconds; null when there is none or when it
 * was guessed from the bit rate.
 */
export function declaredDuration(stderr: string): number | null {
  if (stderr.includes("Estimating duration from bitrate")) return null;
  const match = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d\d)/m.exec(stderr);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/** Turns what ffmpeg said when it gave no sound into the reason for it. */
export function ffmpegFailure(stderr: string): MediaError {
  if (/Cannot allocate memory|Failed to allocate/i.test(stderr))
    return new MediaError("out_of_memory", stderr);
  if (/matches no streams|does not contain any stream/.test(stderr))
    return new MediaError("no_audio", stderr);
  if (/Unknown encoder/.test(stderr)) return new MediaError("needs_ffmpeg", stderr);
  if (/not on whitelist|Decoder \(.*\) not found|Unsupported codec/.test(stderr)) {
    return new MediaError("unsupported", stderr);
  }
  return new MediaError("corrupt", stderr);
}
