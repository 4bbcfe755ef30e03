import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { childCommandLine } from "../../kernel/child-commands.ts";
import { type MediaChild, spawnChild } from "../child/child-process.ts";
import { ownFailure } from "../child/child-report.ts";
import { type DecodeRequest, openDecoder } from "../decoder.ts";
import { limitsFor } from "../limits.ts";
import { MediaError } from "../media-error.ts";
import {
  ARTWORK_FILE,
  type Artwork,
  MAX_ARTWORK_BYTES,
  type MediaDescription,
  type MediaProbe,
  sniffPicture,
} from "./media-probe.ts";

export type { MediaProbe } from "./media-probe.ts";

const MAX_JSON_BYTES = 1024 * 1024;
/** Reading tags takes well under a second. A file that takes this long is an attack, or the disk is broken. */
const PROBE_TIMEOUT_MS = 30_000;

/**
 * Reads what a file declares about itself: format, tags, cover. When the tags cannot be read, the decoder describes
 * the sound, and `tags` is empty.
 *
 * @throws MediaError when the sound cannot be read either; the signal's reason when the signal aborts.
 */
export async function probeFile(request: DecodeRequest): Promise<MediaProbe> {
  const probe = await readDescription(request);
  request.signal.throwIfAborted();
  if (probe?.sampleRateHz && probe.channels) return probe;
  const sound = await describeSound(request);
  return { ...sound, ...probe, sampleRateHz: sound.sampleRateHz, channels: sound.channels };
}

async function readDescription(request: DecodeRequest): Promise<MediaProbe | undefined> {
  // Reading tags takes no longer when hours of sound follow them.
  const limits = request.limits ?? limitsFor((await stat(request.path)).size, 0);
  const child = await spawnChild({
    command: childCommandLine(request.selfCommand, "media-probe", resolve(request.path)),
    limits: { ...limits, wallClockMs: Math.min(limits.wallClockMs, PROBE_TIMEOUT_MS) },
    signal: request.signal,
    memory: "resident",
  });
  try {
    const json = await readCapped(child);
    const failure = ownFailure(await child.ended);
    if (failure && !(failure instanceof MediaError)) throw failure;
    const description = failure ? undefined : parseDescription(json);
    if (!description) return undefined;
    const artwork = await readArtwork(child.workDir);
    return { ...description, ...(artwork && { artwork }) };
  } finally {
    await child.dispose();
  }
}

async function readCapped(child: MediaChild): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await child.output.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_JSON_BYTES) child.stop(new MediaError("unsupported", "description too long"));
  }
}

function parseDescription(json: string): MediaDescription | undefined {
  try {
    // Our own program wrote it from values that it checked one by one. A child that was cut off left no complete
    // JSON.
    return JSON.parse(json) as MediaDescription;
  } catch {
    return undefined;
  }
}

async function readArtwork(workDir: string): Promise<Artwork | undefined> {
  const path = join(workDir, ARTWORK_FILE);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_ARTWORK_BYTES) return undefined;
  const bytes = await Bun.file(path).bytes();
  const mediaType = sniffPicture(bytes);
  return mediaType && { mediaType, bytes };
}

/** Describes the sound without tags: starts the decoder, takes what it found and ends it. */
async function describeSound(request: DecodeRequest): Promise<MediaDescription> {
  const { sampleRateHz, channels, close } = await openDecoder(request);
  await close();
  const unknown = { lossless: null, bitDepth: null, bitrateBps: null, declaredDurationSec: null };
  return { ...unknown, codec: request.format.codec ?? null, sampleRateHz, channels, tags: {} };
}
