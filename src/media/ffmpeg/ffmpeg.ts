import type { AudioFormat, Container } from "../formats/sniff.ts";
import { MediaError } from "../media-error.ts";
import type { FfmpegInput } from "../view/audio-view.ts";

/** ffmpeg's names for the accepted containers. */
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
  webm: "matroska",
};

/** Only sound: a picture or video stream in a file must not reach a decoder. */
const DECODERS = [
  "mp3float,mp3,mp2float,mp2,aac,aac_fixed,alac,flac,vorbis,libvorbis,opus,libopus,ac3,eac3",
  "pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be",
  "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw",
  "adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,gsm_ms",
  "wavpack,tta,ape,wmav1,wmav2,wmapro,wmalossless,wmavoice",
  "dsd_lsbf,dsd_msbf,dsd_lsbf_planar,dsd_msbf_planar",
].join(",");

/** The rate for DSD files, whose one-bit samples decode to 352.8 kHz or more: the frequencies above are noise. */
const DSD_SAMPLE_RATE_HZ = 88_200;

/** A file for ffmpeg to read, and `maxSec`, how much of it. */
export type FfmpegSource = { input: FfmpegInput; format: AudioFormat; maxSec: number };

/** The encodings for listening, in order of preference. */
export const ENCODINGS = ["opus", "aac"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Returns the command that decodes a file's first audio stream to a WAV stream of float samples on standard output.
 * The demuxer is forced and only the file's own protocol is allowed: a playlist with the name of an audio file is
 * neither followed nor read.
 */
export function ffmpegCommand(ffmpegPath: string, source: FfmpegSource): string[] {
  const rate = source.format.container === "dsf" ? ["-ar", String(DSD_SAMPLE_RATE_HZ)] : [];
  return [...soundOf(ffmpegPath, source), ...rate, "-c:a", "pcm_f32le", "-f", "wav", "pipe:1"];
}

/**
 * How ffmpeg writes each encoding. `file` names a file in the working folder, for a format that cannot be streamed.
 */
const ENCODERS: Readonly<Record<Encoding | "flac", { file?: string; args: readonly string[] }>> = {
  opus: {
    args: [
      ...["-af", "aformat=sample_rates=48000:channel_layouts=mono|stereo"],
      ...["-c:a", "libopus", "-b:a", "128k", "-f", "ogg", "pipe:1"],
    ],
  },
  // As many bits as the source has. The length and the sum of the samples are written into its head at the end.
  flac: { file: "sound.flac", args: ["-c:a", "flac", "-f", "flac", "sound.flac"] },
  // With the index in front a player can start, and seek, before it has the whole file.
  aac: {
    file: "listen.m4a",
    args: [
      ...["-af", "aformat=sample_rates=44100|48000:channel_layouts=mono|stereo"],
      ...["-c:a", "aac", "-b:a", "160k", "-movflags", "+faststart", "-f", "ipod", "listen.m4a"],
    ],
  },
};

/**
 * Returns the command that encodes a file's first audio stream, for listening as mono or stereo, and the name of the
 * file that it writes in the working folder. Without a name it writes to standard output. It has the same
 * restrictions as {@link ffmpegCommand}, and copies no metadata of the file.
 */
export function ffmpegEncodeCommand(
  ffmpegPath: string,
  source: FfmpegSource,
  encoding: Encoding | "flac",
): { command: string[]; file: string | undefined } {
  const { args, file } = ENCODERS[encoding];
  return { command: [...soundOf(ffmpegPath, source), ...args], file };
}

/** Returns the beginning of a command, up to the encoder. */
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
 * Reads the duration in seconds that ffmpeg found in the file's headers; null when it is missing or was estimated
 * from the bit rate.
 */
export function declaredDuration(stderr: string): number | null {
  if (stderr.includes("Estimating duration from bitrate")) return null;
  const match = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d\d)/m.exec(stderr);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/** Turns ffmpeg's error output into the reason why it gave no sound. */
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
