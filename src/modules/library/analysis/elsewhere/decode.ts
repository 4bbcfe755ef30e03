import { inflateRawSync } from "node:zlib";
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../../../audio/analyzer.ts";
import { MAX_PASSAGES, PASSAGE_DIMENSIONS } from "../../../../audio/descriptors/passages.ts";
import { OCTAVE_CENTRES_HZ } from "../../../../audio/descriptors/spectral-balance.ts";
import { CODES_PER_COLUMN, COLUMN_LEVELS, MAX_CODES } from "../../../../audio/fingerprint/fingerprint.ts";
import { MAX_LEVELS } from "../../../../audio/fingerprint/level-rate.ts";
import { MAX_PAIRS, WAVEFORM_BUCKETS } from "../../../../audio/waveform.ts";
import { HEARD_NUMBERS } from "../../../../ears/tags.ts";
import { invalidField } from "../../../../kernel/errors.ts";
import { cleanLine, type TimedLine } from "../../../../media/lyrics/lines.ts";
import { MediaError } from "../../../../media/media-error.ts";
import { line, prose } from "../../../../media/tags/clean-tags.ts";
import { MAX_ARTWORK_BYTES, sniffPicture } from "../../../../media/tags/media-probe.ts";
import type { AnalysisOutcome, FileInfo, Heard, Measurement } from "../task.ts";
import type { Measured, WorkResult } from "./shapes.ts";

// The schema of the request has bounded every number and text; what it cannot say is checked here.

/**
 * Returns the outcome of an analysis that a worker sent.
 *
 * @throws DomainError `validation_failed` for a value that no analysis gives.
 */
export function decodeOutcome({ info = null, artwork, measurement, failure }: WorkResult): AnalysisOutcome {
  const said = {
    info: info && ({ ...info, tags: cleanAgain(info.tags) } as FileInfo),
    ...(artwork !== undefined && { artwork: pictureOf(artwork) }),
  };
  if (measurement && failure === undefined) return { ...said, measurement: decodeMeasurement(measurement) };
  if (measurement || failure === undefined)
    throw invalidField("measurement", "either_or", "send a measurement or a failure");
  return { ...said, failure: { code: failure, reason: new MediaError(failure).message } };
}

/**
 * Returns what a worker heard.
 *
 * @throws DomainError as {@link decodeOutcome} does.
 */
export function decodeHeard({ heard }: WorkResult): Heard {
  if (heard === undefined) throw invalidField("heard", "required", "must be sent");
  return heardOf("heard", heard);
}

function decodeMeasurement(sent: Measured): Measurement {
  const { waveform, descriptors, heard, passages, recording, ...rest } = sent;
  const { pcmSha256, codes, columns, levels, balanceDb, framesPerPair, peaks } = recording;
  if (balanceDb.length !== OCTAVE_CENTRES_HZ.length) throw wrong("measurement.recording.balanceDb");
  return {
    ...rest,
    waveform: new Int8Array(
      bytesOf("measurement.waveform", waveform, { exactly: 2 * WAVEFORM_BUCKETS }).buffer,
    ),
    descriptors: floatsOrNull("measurement.descriptors", descriptors, DESCRIPTOR_DIMENSIONS),
    descriptorVersion: DESCRIPTOR_VERSION,
    heard: heardOf("measurement.heard", heard),
    passages: passagesOf("measurement.passages", passages),
    recording: {
      pcmSha256: new Uint8Array(Buffer.from(pcmSha256, "hex")),
      fingerprint: fingerprintOf(codes, columns),
      levels: deflatedOf("measurement.recording.levels", levels, MAX_LEVELS),
      balanceDb,
      framesPerPair,
      peaks: deflatedOf("measurement.recording.peaks", peaks, 2 * MAX_PAIRS),
    },
  };
}

const wrong = (path: string) => invalidField(path, "content", "is not what an analysis gives");

/** Returns the bytes of base64 text, in a buffer of their own. */
function bytesOf(
  path: string,
  text: string,
  { exactly }: { exactly?: number } = {},
): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  // Characters that are not base64 are skipped without a word, and so the length tells of them.
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const isWhole = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding;
  if (!isWhole || (exactly !== undefined && bytes.length !== exactly)) throw wrong(path);
  return bytes;
}

function floatsOf(path: string, text: string, count: number): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(bytesOf(path, text, { exactly: 4 * count }).buffer);
  if (!floats.every(Number.isFinite)) throw wrong(path);
  return floats;
}

function passagesOf(path: string, text: string): Int8Array<ArrayBuffer> {
  const bytes = bytesOf(path, text);
  if (bytes.length % PASSAGE_DIMENSIONS !== 0 || bytes.length > MAX_PASSAGES * PASSAGE_DIMENSIONS)
    throw wrong(path);
  return new Int8Array(bytes.buffer);
}

const floatsOrNull = (path: string, text: string | null, count: number) =>
  text === null ? null : floatsOf(path, text, count);
const heardOf = (path: string, text: string | null): Heard => floatsOrNull(path, text, HEARD_NUMBERS);

function fingerprintOf(codesText: string, columnsText: string) {
  const path = "measurement.recording.codes";
  const codes = bytesOf(path, codesText);
  const columns = bytesOf("measurement.recording.columns", columnsText);
  const mostColumns = Math.ceil(codes.length / 4 / CODES_PER_COLUMN) + 1;
  if (codes.length % 4 !== 0 || codes.length > 4 * MAX_CODES) throw wrong(path);
  if (columns.length % COLUMN_LEVELS !== 0 || columns.length > mostColumns * COLUMN_LEVELS)
    throw wrong("measurement.recording.columns");
  return { codes: new Uint32Array(codes.buffer), columns };
}

/** Returns deflated bytes as they are, once it is known that they inflate to no more than `mostBytes`. */
function deflatedOf(path: string, text: string, mostBytes: number): Uint8Array {
  const bytes = bytesOf(path, text);
  try {
    inflateRawSync(bytes, { maxOutputLength: Math.max(1, mostBytes) });
  } catch {
    throw wrong(path);
  }
  return bytes;
}

function pictureOf(text: string): Uint8Array {
  const bytes = bytesOf("artwork", text);
  if (bytes.length > MAX_ARTWORK_BYTES || !sniffPicture(bytes)) throw wrong("artwork");
  return bytes;
}

/** Tags that were cleaned where they were read stay as they are. */
function cleanAgain(tags: NonNullable<WorkResult["info"]>["tags"]): FileInfo["tags"] {
  const cleaned = Object.entries(tags).map(([name, value]) => [name, cleanTag(name, value)] as const);
  return Object.fromEntries(cleaned.filter(([, value]) => value !== undefined && value !== ""));
}

function cleanTag(name: string, value: unknown): unknown {
  if (name === "timedLyrics")
    return (value as TimedLine[]).map(({ text, atMs }) => ({ text: cleanLine(text), atMs }));
  if (Array.isArray(value)) return value.map(line).filter((each) => each !== undefined);
  if (typeof value !== "string") return value;
  return name === "lyrics" || name === "comment" ? prose(value, value.length) : line(value);
}
