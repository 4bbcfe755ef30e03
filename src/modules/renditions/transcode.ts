import { transact } from "../../../db/client.ts";
import { blobPath, discardStaged, type StagedFile, stageFile } from "../../blobs/store.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { encodeOpus, OPUS_MEDIA_TYPE } from "../../media/encoder.ts";
import { MediaError } from "../../media/media-error.ts";
import { probeFile } from "../../media/probe.ts";
import { type AudioFormat, sniffAudio } from "../../media/sniff.ts";
import { placeFile } from "./files.ts";
import { needsRendition } from "./need.ts";
import * as queries from "./queries.ts";
import { findRendition } from "./service.ts";

type TranscodeDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;
type Source = { path: string; format: AudioFormat; signal: AbortSignal };

const HEAD_BYTES = 64 * 1024;
/** Six hours at 128 kbit/s are 346 MB; more is not a rendition. */
const MAX_RENDITION_BYTES = 512 * 1024 * 1024;

/**
 * Returns the handler of the job `transcode`: makes what is played in the place of an original that is lossless, heavy
 * or not for browsers. Without ffmpeg, and where the file is at fault, there is none and the original is played.
 */
export function transcodeHandler(deps: TranscodeDeps): JobHandler {
  return async ({ sha256 }, { signal }) => {
    const original = queries.findOriginal(deps.db, String(sha256));
    if (!original || deps.ffmpegPath === undefined || findRendition(deps, original.sha256)) return;
    try {
      await transcode(deps, { ...original, ffmpegPath: deps.ffmpegPath, signal });
    } catch (error) {
      const isFinal =
        error instanceof MediaError || (error instanceof DomainError && error.code === "file_too_large");
      if (!isFinal) throw error;
      deps.log("warn", "No rendition could be made: the original is played", {
        sha256: original.sha256,
        error,
      });
    }
  };
}

async function transcode(
  deps: TranscodeDeps,
  original: queries.Original & { ffmpegPath: string; signal: AbortSignal },
): Promise<void> {
  const { sha256, ffmpegPath, signal } = original;
  const path = blobPath(deps.settings, sha256);
  const file = Bun.file(path);
  if (!(await file.exists())) return; // deleted since
  const format = sniffAudio(await file.slice(0, HEAD_BYTES).bytes());
  if (!format) return;
  const source: Source = { path, format, signal };
  if (!needsRendition(original.isAnalysed ? original : await probed(deps, original, source))) return;

  const staged = await stageFile(deps, encodeOpus({ ...source, ffmpegPath }), {
    maxBytes: MAX_RENDITION_BYTES,
  });
  try {
    keep(deps, sha256, staged);
  } finally {
    await discardStaged(staged);
  }
}

/** A version that was made active without an analysis: its headers tell. */
async function probed(deps: TranscodeDeps, original: queries.Original, source: Source) {
  const { ffmpegPath, selfCommand } = deps;
  const { codec, lossless, bitrateBps } = await probeFile({ ...source, ffmpegPath, selfCommand });
  return { ...original, codec, lossless, bitrateBps };
}

/** File and row in one transaction; an original that was deleted meanwhile has no use for them. */
function keep({ db, now, settings }: TranscodeDeps, sha256: string, staged: StagedFile): void {
  transact(db, (tx) => {
    if (!queries.isUsed(tx, sha256)) return;
    placeFile(settings, sha256, staged);
    queries.putRow(tx, {
      sha256,
      mediaType: OPUS_MEDIA_TYPE,
      sizeBytes: staged.sizeBytes,
      createdAt: now(),
    });
  });
}
