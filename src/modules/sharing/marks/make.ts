import { resolve } from "node:path";
import { type Db, prepared, transact } from "../../../../db/client.ts";
import { discardStaged, type StagedFile, stageFile, withLocalCopy } from "../../../blobs/store.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { childCommandLine } from "../../../kernel/child-commands.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { giveWay } from "../../../kernel/processes.ts";
import { spawnChild } from "../../../media/child/child-process.ts";
import { openDecoder } from "../../../media/decoder.ts";
import { ENCODINGS, type Encoding, encode } from "../../../media/encoder.ts";
import { type AudioFormat, sniffFile } from "../../../media/formats/sniff.ts";
import { limitsFor } from "../../../media/limits.ts";
import { MediaError } from "../../../media/media-error.ts";
import { flacBits, withSoundOf } from "../../../media/retag/flac.ts";
import { withFile } from "../../../media/view/file-window.ts";
import { findCopy, type MarkedCopy, noteFailed } from "./copies.ts";
import { type FileEncoding, keepFile, listFiles } from "./files.ts";
import { markKeyOf } from "./keys.ts";
import { type MarkTask, TASK_FILE } from "./mark-child.ts";
import { type WavShape, wavHead } from "./wav-head.ts";
import { soundOfFile } from "./whole-file.ts";

type MakeDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets" | "ffmpegPath" | "selfCommand">;
/** How a copy is made: of which file, with which key and code. */
type Making = {
  deps: MakeDeps & { ffmpegPath: string };
  path: string;
  format: AudioFormat;
  secret: Pick<MarkTask, "key" | "code">;
  signal: AbortSignal;
};

/** The most bytes of a file that a copy may take: six hours at 192 kHz, in 24 bits. */
const MAX_BYTES = 26 * 1024 ** 3;
/** The lowest priority, that of analyses too. */
const NICENESS = 19;
const FLOATS = { bytesPerSample: 4, isFloat: true, isLittleEndian: true, isUnsigned: false } as const;

const sourceOf = prepared((db) =>
  db.$client.prepare<{ sha256: string }, [string, string]>(
    "SELECT v.sha256 FROM versions v JOIN tracks t ON t.id = v.track_id WHERE v.id = ?1 AND t.owner_id = ?2",
  ),
);

/** Returns the handler of the job that makes the files of a copy. A fault in the file is final. */
export function markHandler(deps: MakeDeps): JobHandler {
  return async (payload, { signal, isLastAttempt }) => {
    const copy = findCopy(deps.db, String(payload.copyId));
    const source = copy && sourceOf(deps.db).get(copy.versionId, copy.accountId);
    if (!copy) return;
    // The version is gone: whoever waits for its copy must hear of it.
    if (!source) return transact(deps.db, (tx) => noteFailed(tx, copy.id, deps.now()));
    await makeCopy(deps, copy, source.sha256, signal).catch((error: unknown) => {
      if (isFault(error) || (isLastAttempt && !signal.aborted))
        transact(deps.db, (tx) => noteFailed(tx, copy.id, deps.now()));
      if (!isFault(error)) throw error;
      deps.log("warn", "No marked copy could be made", { copyId: copy.id, versionId: copy.versionId, error });
    });
  };
}

/** Makes the files of copies in this process, one after the other, for a command beside the server. @throws MediaError for a fault in a file. */
export async function makeNow(
  deps: MakeDeps,
  copyIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const id of copyIds) {
    const copy = findCopy(deps.db, id);
    const source = copy && sourceOf(deps.db).get(copy.versionId, copy.accountId);
    if (copy && source) await makeCopy(deps, copy, source.sha256, signal);
  }
}

/** True for what is wrong with the file, however often it is tried. */
const isFault = (error: unknown): boolean =>
  error instanceof MediaError || (error instanceof DomainError && error.code === "file_too_large");

async function makeCopy(
  deps: MakeDeps,
  copy: MarkedCopy,
  sha256: string,
  signal: AbortSignal,
): Promise<void> {
  const { ffmpegPath } = deps;
  if (ffmpegPath === undefined) throw new MediaError("needs_ffmpeg", "copies are encoded by it");
  const key = transact(deps.db, (tx) => markKeyOf({ ...deps, db: tx }, copy));
  const secret = { key: key.toString("base64"), code: copy.code.toString("base64") };
  await withLocalCopy(deps.settings, sha256, async (path) => {
    const format = await sniffFile(path);
    if (!format) throw new MediaError("unsupported", "not a sound");
    const making: Making = { deps: { ...deps, ffmpegPath }, path: resolve(path), format, secret, signal };
    if (copy.kind === "listen") await makeListening(making, copy, ENCODINGS);
    else if (copy.kind === "package" && !isSpliced(format)) await makeListening(making, copy, ["aac"]);
    else await makeOriginal(making, copy);
  });
}

/** True for formats of which a copy is as good as its original. */
const isSpliced = ({ container }: AudioFormat): boolean => ["wav", "aiff", "flac"].includes(container);

/** Makes what is played, whatever the original is. */
async function makeListening(
  making: Making,
  copy: MarkedCopy,
  encodings: readonly Encoding[],
): Promise<void> {
  const { deps, signal } = making;
  const there = listFiles(deps.db, deps.settings, copy.id).map(({ encoding }) => encoding);
  const missing = encodings.filter((encoding) => !there.includes(encoding));
  if (missing.length === 0) return;
  await withDecoded(making, async (sound) => {
    await using marked = await staged(
      deps,
      markedFloats(making, sound, FLOATS, wavHead({ ...sound.shape, bits: 32, isFloat: true })),
    );
    const source = {
      path: marked.path,
      format: WAV,
      ffmpegPath: deps.ffmpegPath,
      lengthSec: sound.lengthSec,
    };
    let fault: unknown;
    for (const encoding of missing)
      try {
        await keep(deps, copy, encoding, encode({ ...source, maxBytes: MAX_BYTES, signal }, encoding));
      } catch (error) {
        // An ffmpeg may lack one of the encoders: the other copy is played then.
        if (!(error instanceof MediaError)) throw error;
        fault = error;
      }
    if (fault) throw fault;
  });
}

const WAV: AudioFormat = { container: "wav", mediaType: "audio/wav", extension: "wav" };

/** Makes what is downloaded: in the format of the original, with all that it says. */
async function makeOriginal(making: Making, copy: MarkedCopy): Promise<void> {
  const { deps, path, format } = making;
  if (listFiles(deps.db, deps.settings, copy.id).length > 0) return;
  if (format.container === "wav" || format.container === "aiff") {
    const source = await soundOfFile(path, format.container);
    return keep(deps, copy, "original", markedBytes(making, { path, source }));
  }
  if (format.container !== "flac") throw new MediaError("unsupported", "a lossy file is not encoded again");
  const bits = await withFile(path, flacBits);
  if (bits !== 16 && bits !== 24) throw new MediaError("unsupported", `FLAC of ${bits} bits`);
  await withDecoded(making, async (sound) => {
    if (sound.isTruncated) throw new MediaError("corrupt", "a part of the sound cannot be read");
    const shape = { ...sound.shape, bits, isFloat: false } as const;
    const to = {
      bytesPerSample: bits === 16 ? 2 : 3,
      isFloat: false,
      isLittleEndian: true,
      isUnsigned: false,
    } as const;
    await using wav = await staged(deps, markedFloats(making, sound, to, wavHead(shape)));
    const source = { path: wav.path, format: WAV, ffmpegPath: deps.ffmpegPath, lengthSec: sound.lengthSec };
    await using flac = await staged(
      deps,
      encode({ ...source, maxBytes: MAX_BYTES, signal: making.signal }, "flac"),
    );
    await keep(deps, copy, "original", joinFlac(path, flac.path));
  });
}

async function* joinFlac(original: string, encoded: string): AsyncGenerator<Uint8Array> {
  const pieces = await withFile(original, (old) => withFile(encoded, (made) => withSoundOf(old, made)));
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else
      yield* Bun.file(piece.of === "original" ? original : encoded)
        .slice(piece.start, piece.end)
        .stream();
  }
}

/** Sound as nothing but floats, in a file of our own. */
type Decoded = {
  path: string;
  shape: Pick<WavShape, "sampleRateHz" | "channels">;
  lengthSec: number;
  isTruncated: boolean;
};

/** Decodes a file for `work`. What decodes it has no secrets, and what marks it reads only what we wrote. */
async function withDecoded(
  { deps, path, format, signal }: Making,
  work: (sound: Decoded) => Promise<void>,
): Promise<void> {
  const { ffmpegPath, selfCommand } = deps;
  const stream = await openDecoder({ path, format, ffmpegPath, selfCommand, signal });
  await using file = await staged(deps, bytesOfFloats(stream.frames));
  const { decodedSec: lengthSec, truncated: isTruncated } = stream.done();
  const { sampleRateHz, channels } = stream;
  await work({ path: file.path, shape: { sampleRateHz, channels }, lengthSec, isTruncated });
}

async function* bytesOfFloats(frames: AsyncIterable<Float32Array>): AsyncGenerator<Uint8Array> {
  // The array is reused, and what is staged is written while the next one is read.
  for await (const block of frames)
    yield new Uint8Array(block.buffer, block.byteOffset, block.byteLength).slice();
}

/** Marks floats; `head` goes in front. */
async function* markedFloats(
  making: Making,
  { path, shape }: Decoded,
  to: Extract<MarkTask["source"], { is: "floats" }>["to"],
  head: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* markedBytes(making, { path, source: { is: "floats", ...shape, to } });
}

async function* markedBytes(
  { deps, secret, signal }: Making,
  sound: Pick<MarkTask, "path" | "source">,
): AsyncGenerator<Uint8Array> {
  const task: MarkTask = { ...sound, ...secret };
  const child = await spawnChild({
    command: childCommandLine(deps.selfCommand, "mark-sound"),
    limits: limitsFor(Bun.file(sound.path).size, null),
    signal,
    memory: "resident",
    files: { [TASK_FILE]: new TextEncoder().encode(JSON.stringify(task)) },
  });
  try {
    giveWay(child.pid, NICENESS);
    for (;;) {
      const { done, value } = await child.output.read();
      if (done || !value) break;
      yield value;
    }
    const { stopped, exitCode, stderr } = await child.ended;
    if (stopped) throw stopped;
    if (exitCode !== 0) throw new MediaError("corrupt", stderr);
  } finally {
    await child.dispose();
  }
}

async function staged(
  deps: MakeDeps,
  chunks: AsyncIterable<Uint8Array>,
): Promise<StagedFile & AsyncDisposable> {
  const file = await stageFile(deps, chunks, { maxBytes: MAX_BYTES });
  return { ...file, [Symbol.asyncDispose]: () => discardStaged(file) };
}

async function keep(
  deps: MakeDeps,
  { id: copyId }: MarkedCopy,
  encoding: FileEncoding,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  await using file = await staged(deps, chunks);
  transact(deps.db, (tx: Db) => {
    if (findCopy(tx, copyId)) keepFile(tx, deps.settings, { copyId, encoding }, file, deps.now());
  });
}
