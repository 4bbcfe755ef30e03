import { stat } from "node:fs/promises";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import { type ChildEnd, type MediaChild, spawnChild } from "./child-process.ts";
import { type Encoding, ffmpegEncodeCommand, ffmpegFailure } from "./ffmpeg.ts";
import { limitsFor } from "./limits.ts";
import type { AudioFormat } from "./sniff.ts";
import { audioPieces, ffmpegInput } from "./view/audio-view.ts";

export { ENCODINGS, type Encoding } from "./ffmpeg.ts";

/** A file to encode for listening. */
export type EncodeRequest = {
  path: string;
  /** From `sniffAudio`; ffmpeg is held to it. */
  format: AudioFormat;
  ffmpegPath: string;
  /** Null: not measured. */
  lengthSec: number | null;
  /** More is not wanted. */
  maxBytes: number;
  signal: AbortSignal;
};

/** What {@link encode} gives. */
export const ENCODED_MEDIA_TYPES: Readonly<Record<Encoding, string>> = {
  opus: "audio/ogg",
  aac: "audio/mp4",
};

/** Whoever listens, uploads or analyses comes first. */
const NICENESS = 10;
/** What a shell answers for a program that it may not run, or cannot find: not the file's fault. */
const SHELL_FAILURES: readonly unknown[] = [126, 127];

/**
 * Encodes a file's sound for listening: as Opus, 128 kbit/s, in Ogg, whose bytes are given as they come, or as AAC,
 * 160 kbit/s, in MP4, which is whole before its first byte is given. The child ends when the reader stops. Bytes that
 * came before an error are of no use.
 *
 * @throws MediaError while iterated when the file cannot be read whole, or this ffmpeg has no such encoder; the signal's
 *   reason when that is aborted; Error when no process can be started.
 */
export async function* encode(request: EncodeRequest, encoding: Encoding): AsyncGenerator<Uint8Array, void> {
  const { format, ffmpegPath, signal, maxBytes } = request;
  const path = resolve(request.path);
  const input = ffmpegInput(path, await audioPieces(path, format));
  const limits = limitsFor((await stat(path)).size, request.lengthSec);
  const source = { input, format, maxSec: limits.outputSec };
  const { command, file } = ffmpegEncodeCommand(ffmpegPath, source, encoding);
  const child = await spawnChild({
    command,
    limits,
    signal,
    memory: "address_space",
    files: input.files,
    ...(file !== undefined && { fileBytes: maxBytes }),
  });
  try {
    giveWay(child);
    for (;;) {
      const { done, value } = await child.output.read();
      if (done || !value) break;
      yield value;
    }
    const failed = failureOf(await child.ended);
    if (failed) throw failed;
    if (file !== undefined) yield* Bun.file(join(child.workDir, file)).stream();
  } finally {
    await child.dispose();
  }
}

function giveWay({ pid }: MediaChild): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It is gone already, or the system does not let it: then it runs as it is.
  }
}

function failureOf({ exitCode, stopped, stderr }: ChildEnd): Error | undefined {
  if (stopped) return stopped;
  if (exitCode === 0) return undefined;
  if (SHELL_FAILURES.includes(exitCode)) return new Error(`The encoder could not be started: ${stderr}`);
  return ffmpegFailure(stderr);
}
