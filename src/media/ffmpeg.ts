import { MediaError } from "./media-error.ts";
import type { AudioFormat, Container } from "./sniff.ts";

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
};

/** Sound only: a picture or video stream in a file must not reach a decoder at all. */
const DECODERS = [
  "mp3float,mp3,mp2float,aac,aac_fixed,alac,flac,vorbis,libvorbis,opus,libopus,ac3,eac3",
  "pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be",
  "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw",
  "adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,gsm_ms",
].join(",");

/**
 * Returns the command that decodes a file's first audio stream to a WAV stream of float samples on standard
 * output. The demuxer is forced and no protocol but the file's own is open: a playlist that wears an audio
 * name is neither followed nor read.
 */
export function ffmpegCommand(
  ffmpegPath: string,
  path: string,
  format: AudioFormat,
  maxSec: number,
): string[] {
  return [...soundOf(ffmpegPath, path, format, maxSec), "-c:a", "pcm_f32le", "-f", "wav", "pipe:1"];
}

/**
 * Returns the command that encodes a file's first audio stream for listening: Opus at 128 kbit/s, mono or stereo, as
 * an Ogg stream on standard output. Held to the file as {@link ffmpegCommand} is; nothing that the file says of itself
 * is handed on.
 */
export function ffmpegOpusCommand(
  ffmpegPath: string,
  path: string,
  format: AudioFormat,
  maxSec: number,
): string[] {
  return [
    ...soundOf(ffmpegPath, path, format, maxSec),
    ...["-af", "aformat=sample_rates=48000:channel_layouts=mono|stereo"],
    ...["-c:a", "libopus", "-b:a", "128k", "-f", "ogg", "pipe:1"],
  ];
}

/** Everything of a command up to the encoder. */
function soundOf(ffmpegPath: string, path: string, format: AudioFormat, maxSec: number): string[] {
  const input = ["-f", DEMUXERS[format.container], "-codec_whitelist", DECODERS, "-i", `file:${path}`];
  return [
    ...[ffmpegPath, "-hide_banner", "-nostdin", "-nostats", "-loglevel", "info"],
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", Object.values(DEMUXERS).join(",")],
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
