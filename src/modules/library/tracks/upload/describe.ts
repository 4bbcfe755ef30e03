import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { createGate } from "../../../../kernel/gate.ts";
import { MediaError } from "../../../../media/media-error.ts";
import type { Artwork } from "../../../../media/tags/media-probe.ts";
import { durationOfPlainWave } from "../../../../media/tags/plain-wave.ts";
import { type MediaProbe, probeFile } from "../../../../media/tags/probe.ts";
import { wordsOfFile } from "../../analysis/service.ts";
import { discardArtwork, type StagedArtwork, stageArtwork } from "../../artwork/service.ts";
import type { Described, StagedTrackFile } from "./track-file.ts";

type DescribeDeps = Pick<Deps, "settings" | "secrets" | "selfCommand" | "ffmpegPath" | "log">;

const NOTHING: MediaProbe["tags"] = {};
/** Children that read tags at once, across all requests. */
const readInTurn = createGate(2);
/** Their reading is a courtesy: the analysis reads the file again, and waits as long as it takes. */
const TIMEOUT_MS = 10_000;

/**
 * Reads what staged files say about themselves, in child processes, so that their tracks have title, artist, length and cover
 * from the first moment. A file that says nothing, or cannot be read, is left for its analysis.
 */
export async function describeTrackFiles(
  deps: DescribeDeps,
  ownerId: LibraryId,
  files: readonly StagedTrackFile[],
): Promise<void> {
  await Promise.all(
    files.map(async (file) => {
      file.described = await describe(deps, ownerId, file);
    }),
  );
}

async function describe(deps: DescribeDeps, ownerId: LibraryId, file: StagedTrackFile): Promise<Described> {
  const { staged, format } = file;
  const plainSec = durationOfPlainWave(staged.head, staged.sizeBytes);
  if (plainSec !== undefined) return { tags: NOTHING, profile: { durationSec: plainSec } };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { ffmpegPath, selfCommand } = deps;
    const probe = await readInTurn(() =>
      probeFile({ path: staged.path, format, ffmpegPath, selfCommand, signal }),
    );
    const cover = probe.artwork && (await stageCover(deps, ownerId, probe.artwork, signal));
    const { tags, declaredDurationSec } = probe;
    const durationSec = declaredDurationSec && { durationSec: Math.round(declaredDurationSec * 1000) / 1000 };
    return { tags, profile: { ...wordsOfFile(tags), ...durationSec }, ...(cover && { cover }) };
  } catch (error) {
    if (!(error instanceof MediaError) && !signal.aborted)
      deps.log("warn", "A file could not be described before its analysis", { error });
    return { tags: NOTHING, profile: {} };
  }
}

/** A picture that cannot be read is left out. */
async function stageCover(
  deps: DescribeDeps,
  ownerId: LibraryId,
  artwork: Artwork,
  signal: AbortSignal,
): Promise<StagedArtwork | undefined> {
  try {
    return await stageArtwork(deps, ownerId, artwork, signal);
  } catch (error) {
    if (!(error instanceof DomainError) && !signal.aborted)
      deps.log("warn", "The picture in a file could not be rendered", { error });
    return undefined;
  }
}

/** Removes the staged bytes of a file that did not become a track. Does nothing when it did. */
export async function discardDescribed({ described }: StagedTrackFile): Promise<void> {
  if (described?.cover) await discardArtwork(described.cover);
}
