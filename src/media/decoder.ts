import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { childCommandLine } from "../kernel/child-commands.ts";
import type { ByteSource } from "./child/child-output.ts";
import {
  type ChildEnd,
  type ChildSpec,
  type MediaChild,
  spawnChild,
  startFailure,
} from "./child/child-process.ts";
import { ownFailure, readReport } from "./child/child-report.ts";
import { declaredDuration, ffmpegCommand, ffmpegFailure } from "./ffmpeg/ffmpeg.ts";
import { readFloats } from "./float-stream.ts";
import type { AudioFormat } from "./formats/sniff.ts";
import { limitsFor, type MediaLimits } from "./limits.ts";
import { MediaError } from "./media-error.ts";
import { audioPieces, ffmpegInput } from "./view/audio-view.ts";
import { parseStreamHeader, type StreamHeader } from "./wav-stream.ts";

/** What decodes: ffmpeg, or this program's own decoders in a child process. */
type DecoderKind = "ffmpeg" | "wasm";

/** A file to decode, and the means to decode it. */
export type DecodeRequest = {
  path: string;
  /** From `sniffAudio`. The decoder must not use another format. */
  format: AudioFormat;
  ffmpegPath: string | undefined;
  /** How to start this program again: `[execPath, "…/main.ts"]`, or `[execPath]` when compiled. */
  selfCommand: readonly string[];
  /** The length that the file declares; left out: unknown. */
  lengthSec?: number | null;
  /** Left out: the limits that {@link limitsFor} returns for the file. */
  limits?: MediaLimits;
  signal: AbortSignal;
};

/** The result of a decoding. */
export type DecodeSummary = {
  decodedSec: number;
  /** The length that the file's headers declare; null when they declare none. */
  declaredSec: number | null;
  /** True when the file gave less than it declares, or parts of it were unreadable. */
  truncated: boolean;
  decoder: DecoderKind;
};

/** The samples of one file, as they come out of its child process. */
export type DecodedStream = {
  sampleRateHz: number;
  channels: number;
  /**
   * Interleaved samples in whole frames, nominally -1 to 1, always finite. Read it once, and each piece before
   * taking the next. The child runs ahead no further than the pipe can hold.
   *
   * @throws MediaError while iterated; the signal's reason when the signal aborts.
   */
  frames: AsyncIterable<Float32Array>;
  /** Returns the result. @throws Error before `frames` has been read to its end. */
  done: () => DecodeSummary;
  /** Ends the child. Needed only when `frames` is never iterated: leaving a loop over `frames` ends it too. */
  close: () => Promise<void>;
  /** The child's process id. */
  pid: number;
};

/** Encoders round the duration in a header and decoders cut off silence. A difference below this is not a loss. */
const TRUNCATION_TOLERANCE_SEC = 0.2;

const OWN_CODECS: ReadonlySet<string> = new Set(["wav", "aiff", "flac", "mp3", "vorbis", "opus"]);

/**
 * Starts decoding a file, at its own sample rate and channels.
 *
 * @throws MediaError with the reason when the file cannot be read; the signal's reason when the signal aborts.
 */
export async function openDecoder(request: DecodeRequest): Promise<DecodedStream> {
  const limits = request.limits ?? limitsFor((await stat(request.path)).size, request.lengthSec ?? null);
  const decoder = decoderFor(request);
  const child = await spawnChild({
    ...(await commandOf(request, limits)),
    limits,
    signal: request.signal,
    memory: decoder === "ffmpeg" ? "address_space" : "resident",
  });
  try {
    const { header, rest } = await readHeader(child.output);
    if (!header) throw failure(await child.ended, decoder);
    return streamOf({ child, header, rest, limits, decoder });
  } catch (error) {
    await child.dispose();
    throw error;
  }
}

/**
 * Uses ffmpeg when available, except for Opus. Below about 40 kbit/s per channel, the Opus decoder that ffmpeg 5.1
 * prefers gives a different signal than libopus (correlation 0.6). Our own decoder is libopus.
 */
function decoderFor({ ffmpegPath, format }: DecodeRequest): DecoderKind {
  return ffmpegPath === undefined || format.codec === "opus" ? "wasm" : "ffmpeg";
}

async function commandOf(
  request: DecodeRequest,
  limits: MediaLimits,
): Promise<Pick<ChildSpec, "command" | "files">> {
  const { path, format, ffmpegPath, selfCommand } = request;
  const file = resolve(path);
  // One second over the limit, to distinguish a file as long as the limit from a longer one.
  const maxSec = limits.outputSec + 1;
  if (ffmpegPath !== undefined && decoderFor(request) === "ffmpeg") {
    const input = ffmpegInput(file, await audioPieces(file, format));
    return { command: ffmpegCommand(ffmpegPath, { input, format, maxSec }), files: input.files };
  }
  const codec = format.container === "ogg" ? (format.codec ?? "ogg") : format.container;
  if (!OWN_CODECS.has(codec)) throw new MediaError("needs_ffmpeg", `no own decoder for ${codec}`);
  return { command: childCommandLine(selfCommand, "media-decode", codec, String(maxSec), file) };
}

async function readHeader(
  reader: ByteSource,
): Promise<{ header: StreamHeader | undefined; rest: Uint8Array }> {
  let bytes: Uint8Array = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return { header: undefined, rest: bytes };
    bytes = bytes.length === 0 ? value : new Uint8Array(Buffer.concat([bytes, value]));
    const header = parseStreamHeader(bytes);
    if (header) return { header, rest: bytes.subarray(header.headerBytes) };
  }
}

type Running = {
  child: MediaChild;
  header: StreamHeader;
  rest: Uint8Array;
  limits: MediaLimits;
  decoder: DecoderKind;
};

function streamOf({ child, header, rest, limits, decoder }: Running): DecodedStream {
  const { sampleRateHz, channels } = header;
  let summary: DecodeSummary | undefined;
  async function* frames(): AsyncGenerator<Float32Array> {
    try {
      let framesOut = 0;
      for await (const block of readFloats(child.output, rest, channels)) {
        framesOut += block.length / channels;
        const isTooLong =
          framesOut > limits.outputSec * sampleRateHz || framesOut * channels * 4 > limits.outputBytes;
        if (isTooLong) throw new MediaError("too_long", `more than ${limits.outputSec} s`);
        yield block;
      }
      const end = await child.ended;
      if (end.stopped) throw end.stopped;
      if (framesOut === 0) throw new MediaError("no_audio", end.stderr);
      summary = summarise(end, framesOut / sampleRateHz, decoder);
    } finally {
      await child.dispose();
    }
  }
  return {
    sampleRateHz,
    channels,
    frames: frames(),
    done: () => {
      if (!summary) throw new Error("A decoding has no summary before its frames were read to the end");
      return summary;
    },
    close: child.dispose,
    pid: child.pid,
  };
}

function summarise(end: ChildEnd, decodedSec: number, decoder: DecoderKind): DecodeSummary {
  const report = decoder === "wasm" ? readReport(end.stderr) : undefined;
  // When our own child decoded a part and then failed, the part is good but incomplete.
  const own = report?.ok ? report : undefined;
  const declaredSec = report ? (own?.declaredSec ?? null) : declaredDuration(end.stderr);
  const isShort = declaredSec !== null && decodedSec < declaredSec - TRUNCATION_TOLERANCE_SEC;
  const isBroken = decoder === "wasm" ? (own?.isDamaged ?? true) : end.exitCode !== 0;
  return { decodedSec, declaredSec, truncated: isShort || isBroken, decoder };
}

function failure(end: ChildEnd, decoder: DecoderKind): Error {
  if (decoder === "wasm") return ownFailure(end) ?? new MediaError("no_audio", end.stderr);
  return end.stopped ?? startFailure(end) ?? ffmpegFailure(end.stderr);
}
