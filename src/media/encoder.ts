import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { giveWay } from "../kernel/processes.ts";
import { type ChildEnd, spawnChild } from "./child/child-process.ts";
import { type Encoding, ffmpegEncodeCommand, ffmpegFailure } from "./ffmpeg/ffmpeg.ts";
import type { AudioFormat } from "./formats/sniff.ts";
import { limitsFor } from "./limits.ts";
import { audioPieces, ffmpegInput } from "./view/audio-view.ts";

export { ENCODINGS, type Encoding } from "./ffmpeg/ffmpeg.ts";

/** A file to encode for listening. */
export type EncodeRequest = {
  path: string;
  /** From `sniffAudio`. ffmpeg must not use another format. */
  format: AudioFormat;
  ffmpegPath: string;
  /** Null: not measured. */
  lengthSec: number | null;
  /** The largest result allowed. */
  maxBytes: number;
  signal: AbortSignal;
};

/** The media types that {@link encode} produces. */
export const ENCODED_MEDIA_TYPES: Readonly<Record<Encoding, string>> = {
  opus: "audio/ogg",
  aac: "audio/mp4",
};

/** The lowest priority, that of analyses too: at a higher one, a rendition would take a lone core away from them. */
const NICENESS = 19;
/** Exit codes of a shell for a program that it may not run or cannot find: not a fault of the file. */
const SHELL_FAILURES: readonly unknown[] = [126, 127];

/**
 * Encodes a file's sound for listening. Opus at 128 kbit/s in Ogg is yielded while it is encoded. AAC at 160 kbit/s
 * in MP4, and FLAC, which has no metadata, are complete before their first byte is yielded. The child ends when the reader stops. Discard the bytes that
 * came before an error.
 *
 * @throws MediaError while iterated, when the file cannot be read to its end or this ffmpeg has no such encoder;
 *   the signal's reason when the signal aborts; Error when no process can be started.
 */
export async function* encode(
  request: EncodeRequest,
  encoding: Encoding | "flac",
): AsyncGenerator<Uint8Array, void> {
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
    giveWay(child.pid, NICENESS);
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

function failureOf({ exitCode, stopped, stderr }: ChildEnd): Error | undefined {
  if (stopped) return stopped;
  if (exitCode === 0) return undefined;
  if (SHELL_FAILURES.includes(exitCode)) return new Error(`The encoder could not be started: ${stderr}`);
  return ffmpegFailure(stderr);
}
