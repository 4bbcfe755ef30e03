import { readFileSync, writeSync } from "node:fs";
import { createMarker } from "../../../audio/watermark/embed.ts";
import { codeOf, patternOf } from "../../../audio/watermark/pattern.ts";
import { EXIT_MISUSED } from "../../../kernel/child-commands.ts";
import { openAiffLayout } from "../../../media/decode/aiff.ts";
import { type ByteReader, openByteReader, seek, take } from "../../../media/decode/byte-reader.ts";
import { type PcmEncoding, type PcmLayout, sampleReader } from "../../../media/decode/pcm.ts";
import { openWavLayout } from "../../../media/decode/wav.ts";
import { createDither, sampleWriter } from "./samples.ts";

/** The file in the child's folder that says what is to be done: secrets are on no command line. */
export const TASK_FILE = "task.json";

/** What a marking child does. */
export type MarkTask = {
  path: string;
  /** Whole files, whose samples are replaced; or nothing but 32-bit floats, little-endian, of this shape. */
  source:
    | {
        is: "wav" | "aiff";
        /** Where the sound ends, and what belongs to the file, as its chunks say. */
        soundEnd: number;
        fileEnd: number;
      }
    | { is: "floats"; sampleRateHz: number; channels: number; to: PcmEncoding };
  /** Base64: 32 bytes and 16 bytes. */
  key: string;
  code: string;
};

const STDOUT = 1;
const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const PIPE_FULL_WAIT_MS = 2;
const BLOCK_FRAMES = 4096;
const MAX_BLOCK_BYTES = 128 * 1024;

/**
 * Runs this program as the child that marks sound and writes it to standard output. Run it only in a separate process: it reads and
 * writes synchronously.
 *
 * @returns The exit code: 0 done, 1 the file could not be read (standard error says why), 2 wrong usage.
 */
export function runMarkChild(): number {
  let task: MarkTask;
  try {
    task = JSON.parse(readFileSync(TASK_FILE, "utf8")); // our own process wrote it
  } catch {
    return EXIT_MISUSED;
  }
  try {
    markFile(task);
    return EXIT_DONE;
  } catch (error) {
    process.stderr.write(String(error));
    return EXIT_FAILED;
  }
}

function markFile({ path, source, key, code }: MarkTask): void {
  const layout = layoutOf(path, source);
  const { dataOffset, channels, encoding, sampleRateHz } = layout;
  const isWhole = source.is !== "floats";
  const frameBytes = channels * encoding.bytesPerSample;
  const original = openByteReader(path);
  const frames = Math.floor(Math.min(layout.dataBytes, original.sizeBytes - dataOffset) / frameBytes);
  const end = dataOffset + frames * frameBytes;
  if (frames === 0) throw new Error("There is no sound");
  // What is behind the sound leaves as it is: there must be no more sound in it.
  if (source.is !== "floats" && Math.abs(source.soundEnd - end) >= frameBytes)
    throw new Error("The file has more sound than it says");
  if (isWhole) copy(original, 0, dataOffset);

  // Read a second time, beside the marked samples: those that did not change keep their bits.
  seek(original, dataOffset);
  const put = createPut(original, layout, source.is === "floats" ? source.to : encoding, code);
  const pattern = patternOf(Buffer.from(key, "base64"));
  const marker = createMarker(
    { sampleRateHz, channels, pattern, code: codeOf(Buffer.from(code, "base64")) },
    put,
  );
  const input = openByteReader(path);
  seek(input, dataOffset);
  for (const { planes, count } of blocksOf(input, layout, frames)) marker.push(planes, count);
  marker.finish();
  if (source.is !== "floats") copy(original, end, source.fileEnd);
}

function layoutOf(path: string, source: MarkTask["source"]): PcmLayout {
  const reader = openByteReader(path);
  if (source.is === "wav") return openWavLayout(reader);
  if (source.is === "aiff") return openAiffLayout(reader);
  if (source.is !== "floats") throw new Error("There is no such source");
  const { sampleRateHz, channels } = source;
  const encoding = { bytesPerSample: 4, isFloat: true, isLittleEndian: true, isUnsigned: false } as const;
  return { encoding, sampleRateHz, channels, dataOffset: 0, dataBytes: reader.sizeBytes };
}

function* blocksOf(reader: ByteReader, { encoding, channels }: PcmLayout, frames: number) {
  const { bytesPerSample } = encoding;
  const frameBytes = channels * bytesPerSample;
  const most = Math.max(1, Math.min(BLOCK_FRAMES, Math.floor(MAX_BLOCK_BYTES / frameBytes)));
  const planes = Array.from({ length: channels }, () => new Float32Array(most));
  const read = sampleReader(encoding);
  for (let left = frames; left > 0; ) {
    const count = Math.min(left, most);
    const bytes = take(reader, count * frameBytes);
    if (bytes.length < count * frameBytes) throw new Error("The file became shorter while it was read");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const [channel, plane] of planes.entries())
      for (let i = 0; i < count; i++) plane[i] = read(view, (i * channels + channel) * bytesPerSample);
    yield { planes, count };
    left -= count;
  }
}

/** Returns what writes marked samples, each beside the original one. */
function createPut(original: ByteReader, layout: PcmLayout, to: PcmEncoding, code: string) {
  const { encoding, channels } = layout;
  const [fromBytes, toBytes] = [encoding.bytesPerSample, to.bytesPerSample];
  const read = sampleReader(encoding);
  const write = sampleWriter(to, createDither(Buffer.from(code, "base64").readUInt32LE(0)));
  const most = Math.max(1, Math.floor(MAX_BLOCK_BYTES / (channels * Math.max(fromBytes, toBytes))));
  const out = new Uint8Array(most * channels * toBytes);
  const target = new DataView(out.buffer);
  return (planes: readonly Float32Array[], count: number) => {
    for (let from = 0; from < count; from += most) {
      const part = Math.min(most, count - from);
      const bytes = take(original, part * channels * fromBytes);
      const before = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < part * channels; at++) {
        const marked = (planes[at % channels] as Float32Array)[from + Math.floor(at / channels)] as number;
        write(target, at * toBytes, read(before, at * fromBytes), marked);
      }
      writeAll(out.subarray(0, part * channels * toBytes));
    }
  };
}

function copy(reader: ByteReader, start: number, end: number): void {
  seek(reader, start);
  for (let left = end - start; left > 0; ) {
    const bytes = take(reader, Math.min(left, MAX_BLOCK_BYTES));
    if (bytes.length === 0) throw new Error("The file became shorter while it was read");
    writeAll(bytes);
    left -= bytes.length;
  }
}

/** Writes everything and waits while the pipe is full. */
function writeAll(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(STDOUT, bytes, done);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(PIPE_FULL_WAIT_MS);
    }
  }
}
