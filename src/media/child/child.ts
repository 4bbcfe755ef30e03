import { writeFileSync, writeSync } from "node:fs";
import { EXIT_MISUSED, type MediaCommand } from "../../kernel/child-commands.ts";
import { closeByteReader, openByteReader } from "../decode/byte-reader.ts";
import type { PcmSource } from "../decode/pcm-source.ts";
import { MediaError } from "../media-error.ts";
import { ARTWORK_FILE } from "../tags/media-probe.ts";
import { streamHeader } from "../wav-stream.ts";
import { writeReport } from "./child-report.ts";

const STDOUT = 1;
const STDERR = 2;
const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const PIPE_FULL_WAIT_MS = 2;

const TASKS: Readonly<Record<MediaCommand, (args: readonly string[]) => Promise<number>>> = {
  "media-decode": decode,
  "media-probe": probe,
  "media-picture": picture,
};

/**
 * Runs this program as the child that reads an untrusted file. `media-decode CODEC SECONDS PATH` writes samples to
 * standard output. `media-probe PATH` writes a description there, and the cover to a file in the working folder.
 * `media-picture PATH` writes a picture and its thumbnail to files in that folder. Run it only in a separate
 * process: it reads and writes synchronously, and waits while a pipe is full.
 *
 * @returns The exit code: 0 done, 1 the file could not be read (standard error says why), 2 wrong usage or code
 *   that could not be loaded.
 */
export async function runMediaChild(task: MediaCommand, args: readonly string[]): Promise<number> {
  try {
    return await TASKS[task](args);
  } catch (error) {
    if (isReaderGone(error)) return EXIT_FAILED;
    if (isUnloadable(error)) {
      writeAll(STDERR, new TextEncoder().encode(String(error)));
      return EXIT_MISUSED;
    }
    const code =
      error instanceof MediaError ? error.code : isOutOfMemory(error) ? "out_of_memory" : "corrupt";
    const cause = error instanceof MediaError ? error.cause : error;
    writeAll(STDERR, new TextEncoder().encode(writeReport({ ok: false, code, detail: String(cause) })));
    return EXIT_FAILED;
  }
}

async function decode([codec = "", maxSecText = "", path = ""]: readonly string[]): Promise<number> {
  const maxSec = Number(maxSecText);
  const open = await findOpener(codec);
  if (!open || !(maxSec > 0) || path === "") return EXIT_MISUSED;

  const reader = openByteReader(path);
  const source = await open(reader);
  const { sampleRateHz, channels, declaredFrames } = source;
  writeAll(STDOUT, streamHeader(sampleRateHz, channels));
  let left = Math.ceil(maxSec * sampleRateHz) * channels;
  for (const block of source.blocks) {
    const part = block.subarray(0, left);
    writeAll(STDOUT, new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    left -= part.length;
    if (left === 0) break;
  }
  closeByteReader(reader);
  const declaredSec = declaredFrames === null ? null : declaredFrames / sampleRateHz;
  const report = writeReport({ ok: true, declaredSec, isDamaged: left > 0 && source.isDamaged() });
  writeAll(STDERR, new TextEncoder().encode(report));
  return EXIT_DONE;
}

type Opener = (reader: ReturnType<typeof openByteReader>) => PcmSource | Promise<PcmSource>;

/** Loads only the decoder that is needed: a child decodes one file. */
async function findOpener(codec: string): Promise<Opener | undefined> {
  if (codec === "wav") return (await import("../decode/wav.ts")).openWav;
  if (codec === "aiff") return (await import("../decode/aiff.ts")).openAiff;
  if (codec === "flac") return (await import("../decode/flac.ts")).openFlac;
  if (codec === "mp3") return (await import("../decode/mp3.ts")).openMp3;
  if (codec === "vorbis") return (await import("../decode/vorbis.ts")).openVorbis;
  return codec === "opus" ? (await import("../decode/opus.ts")).openOpus : undefined;
}

async function probe([path = ""]: readonly string[]): Promise<number> {
  if (path === "") return EXIT_MISUSED;
  const { readMetadata } = await import("../tags/metadata.ts");
  const { artwork, ...description } = await readMetadata(path);
  if (artwork) writeFileSync(ARTWORK_FILE, artwork);
  const json = JSON.stringify(description);
  writeAll(STDOUT, new TextEncoder().encode(json));
  return EXIT_DONE;
}

async function picture([path = ""]: readonly string[]): Promise<number> {
  if (path === "") return EXIT_MISUSED;
  await (await import("../pictures/render-picture.ts")).renderPicture(path);
  return EXIT_DONE;
}

/** Writes everything and waits while the pipe is full. This slows the decoder down to the speed of the reader. */
function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") throw error;
      Bun.sleepSync(PIPE_FULL_WAIT_MS);
    }
  }
}

const systemCode = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const isUnloadable = (error: unknown): boolean =>
  error instanceof ResolveMessage || error instanceof BuildMessage;

const isReaderGone = (error: unknown): boolean => systemCode(error) === "EPIPE";

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError && /memory|allocat/i.test(error.message);
