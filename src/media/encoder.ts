import { setPriority } from "node:os";
import { resolve } from "node:path";
import { type ChildEnd, type MediaChild, spawnChild } from "./child-process.ts";
import { ffmpegFailure, ffmpegOpusCommand } from "./ffmpeg.ts";
import { DEFAULT_MEDIA_LIMITS } from "./limits.ts";
import type { AudioFormat } from "./sniff.ts";

/** A file to encode for listening. */
export type EncodeRequest = {
  path: string;
  /** From `sniffAudio`; ffmpeg is held to it. */
  format: AudioFormat;
  ffmpegPath: string;
  signal: AbortSignal;
};

/** What {@link encodeOpus} gives. */
export const OPUS_MEDIA_TYPE = "audio/ogg";

/** Whoever listens, uploads or analyses comes first. */
const NICENESS = 10;
/** What a shell answers for a program that it may not run, or cannot find: not the file's fault. */
const SHELL_FAILURES: readonly unknown[] = [126, 127];

/**
 * Encodes a file's sound as Opus, 128 kbit/s, in Ogg; gives the bytes as they come. The child runs no further ahead
 * than the pipe between holds, and ends when the reader stops. Bytes that came before an error are of no use.
 *
 * @throws MediaError while iterated when the file cannot be read whole, or this ffmpeg has no Opus; the signal's reason
 *   when that is aborted; Error when no process can be started.
 */
export async function* encodeOpus(request: EncodeRequest): AsyncGenerator<Uint8Array, void> {
  const { path, format, ffmpegPath, signal } = request;
  const child = await spawnChild({
    command: ffmpegOpusCommand(ffmpegPath, resolve(path), format, DEFAULT_MEDIA_LIMITS.outputSec),
    limits: DEFAULT_MEDIA_LIMITS,
    signal,
    memory: "address_space",
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
