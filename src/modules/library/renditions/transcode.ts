import { transact } from "../../../../db/client.ts";
import { discardStaged, type StagedFile, stageFile, withLocalCopy } from "../../../blobs/store.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { type EncodeRequest, encode } from "../../../media/encoder.ts";
import { type AudioFormat, sniffFile } from "../../../media/formats/sniff.ts";
import { MediaError } from "../../../media/media-error.ts";
import { probeFile } from "../../../media/tags/probe.ts";
import { placeFile, type RenditionKey } from "./files.ts";
import { neededEncodings } from "./need.ts";
import * as queries from "./queries.ts";

type TranscodeDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;
type Source = { path: string; format: AudioFormat; signal: AbortSignal };

/** Six hours at 160 kbit/s are 432 MB; anything above this is a mistake. */
const MAX_RENDITION_BYTES = 512 * 1024 * 1024;

/**
 * Returns the handler of the job `transcode`: makes what is played instead of an original that is lossless, large or
 * not playable in every browser. Without ffmpeg, or if the file is faulty, it makes nothing and the original is
 * played.
 */
export function transcodeHandler(deps: TranscodeDeps): JobHandler {
  return async (payload, { signal }) => {
    const original = queries.findOriginal(deps.db, String(payload.sha256));
    const { ffmpegPath } = deps;
    if (!original || ffmpegPath === undefined) return;
    await withLocalCopy(deps.settings, original.sha256, async (path) => {
      const format = await sniffFile(path);
      if (format) await makeNeeded({ ...deps, ffmpegPath }, original, { path, format, signal });
    });
  };
}

/** Makes the renditions that an original needs and does not have. */
async function makeNeeded(
  deps: TranscodeDeps & { ffmpegPath: string },
  original: queries.Original,
  source: Source,
): Promise<void> {
  const { ffmpegPath } = deps;
  const sound = original.isAnalysed ? original : await probed(deps, original, source);
  for (const encoding of neededEncodings(sound)) {
    if (original.encodings.includes(encoding)) continue;
    await make(
      deps,
      { ...source, ffmpegPath, lengthSec: original.durationSec },
      { sha256: original.sha256, encoding },
    );
  }
}

/** Makes one rendition. A fault in the file is final; anything else is tried again. */
async function make(
  deps: TranscodeDeps,
  source: Omit<EncodeRequest, "maxBytes">,
  key: RenditionKey,
): Promise<void> {
  try {
    const chunks = encode({ ...source, maxBytes: MAX_RENDITION_BYTES }, key.encoding);
    const staged = await stageFile(deps, chunks, { maxBytes: MAX_RENDITION_BYTES });
    try {
      keep(deps, key, staged);
    } finally {
      await discardStaged(staged);
    }
  } catch (error) {
    const isFinal =
      error instanceof MediaError || (error instanceof DomainError && error.code === "file_too_large");
    if (!isFinal) throw error;
    deps.log("warn", "No rendition could be made; the original is played instead", { ...key, error });
  }
}

/** Reads the headers of a version that was made active without an analysis. */
async function probed(deps: TranscodeDeps, original: queries.Original, source: Source) {
  const { ffmpegPath, selfCommand } = deps;
  const { codec, lossless, bitrateBps } = await probeFile({ ...source, ffmpegPath, selfCommand });
  return { ...original, codec, lossless, bitrateBps };
}

/** Stores file and row in one transaction, unless the original was deleted meanwhile. */
function keep({ db, now, settings }: TranscodeDeps, key: RenditionKey, staged: StagedFile): void {
  transact(db, (tx) => {
    if (!queries.isUsed(tx, key.sha256)) return;
    placeFile(settings, key, staged);
    queries.putRow(tx, { ...key, sizeBytes: staged.sizeBytes, createdAt: now() });
  });
}
