import { type IAudioMetadata, parseBuffer, parseFile, selectCover } from "music-metadata";
import { lyricsOfTags } from "../lyrics/from-tags.ts";
import { cleanTags } from "./clean-tags.ts";
import { MAX_ARTWORK_BYTES, type MediaDescription, sniffPicture } from "./media-probe.ts";

/** A file up to this size is read into memory: one system call for each of 100,000 tags takes eight times as long. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/**
 * Reads the headers, tags and cover of a file. Runs only in the probing child: the bytes are untrusted.
 *
 * @throws The library's error when it cannot read the file.
 */
export async function readMetadata(path: string): Promise<MediaDescription & { artwork?: Uint8Array }> {
  const file = Bun.file(path);
  const isHeld = file.size <= MAX_HELD_BYTES;
  // Ogg, and MP3 and AAC without a header of their own, tell their length only at the end or frame by frame.
  const options = { duration: isHeld, includeChapters: false };
  const metadata = isHeld
    ? await parseBuffer(await file.bytes(), { path }, options)
    : await parseFile(path, options);
  const artwork = findArtwork(metadata);
  return {
    ...describeFormat(metadata),
    tags: { ...cleanTags(metadata.common), ...lyricsOfTags(metadata.native) },
    ...(artwork && { artwork }),
  };
}

function describeFormat({ format }: IAudioMetadata): Omit<MediaDescription, "tags"> {
  return {
    codec: format.codec ?? null,
    lossless: format.lossless ?? null,
    sampleRateHz: positive(format.sampleRate),
    channels: positive(format.numberOfChannels),
    // A lossy codec has no bit depth; some readers report the depth of the decoded samples.
    bitDepth: format.lossless ? positive(format.bitsPerSample) : null,
    bitrateBps: positive(format.bitrate === undefined ? undefined : Math.round(format.bitrate)),
    declaredDurationSec: positive(format.duration),
  };
}

function findArtwork({ common }: IAudioMetadata): Uint8Array | undefined {
  const bytes = selectCover(common.picture)?.data;
  return bytes && bytes.length <= MAX_ARTWORK_BYTES && sniffPicture(bytes) ? bytes : undefined;
}

const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
