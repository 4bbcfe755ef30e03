import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, type ErrorCode } from "../../../../kernel/errors.ts";
import { createGate } from "../../../../kernel/gate.ts";
import { asRefusal } from "../../../../kernel/refusals.ts";
import { discardArtwork, pictureAt, type StagedArtwork, stageArtwork } from "../../artwork/service.ts";
import type { Details } from "../details/apply-details.ts";
import type { DetailsInput } from "../details/details-shapes.ts";
import type { AudioProfileInput } from "../profile.ts";
import { addTracks, checkProfiles, discardTrackFile, keepTrackFiles, type NewTrackFile } from "./create.ts";
import { describeTrackFiles } from "./describe.ts";
import { stageFromUrl } from "./from-url.ts";
import type { StagedTrackFile } from "./track-file.ts";

const PARALLEL_DOWNLOADS = 4;

/** A file to fetch, and what its owner says about it. */
export type UrlItem = {
  fileUrl: string;
  visible?: boolean;
  audioProfile?: AudioProfileInput;
  details?: DetailsInput;
};

/** The results, each list in the order of the items. */
export type UrlUploads = {
  uploaded: { id: string; name: string; visible: boolean }[];
  failed: { url: string; error: string; code: ErrorCode }[];
};

type Received = NewTrackFile | DomainError;

/**
 * Makes a track of every address that can be downloaded; a failed download does not affect the others. Tracks are
 * created only after every download has been tried, so a client that disconnects leaves nothing behind.
 *
 * @throws DomainError `validation_failed`, as `addTracks` does, before anything is fetched; the signal's reason when it
 *   is aborted.
 */
export async function uploadFromUrls(
  deps: Deps,
  ownerId: LibraryId,
  items: readonly UrlItem[],
  signal: AbortSignal,
): Promise<UrlUploads> {
  await checkProfiles(items.map(({ audioProfile }) => audioProfile ?? {}));
  const inTurn = createGate(PARALLEL_DOWNLOADS);
  const attempts = await Promise.allSettled(
    items.map((item) => inTurn(() => receive(deps, ownerId, item, signal))),
  );
  try {
    signal.throwIfAborted();
    const broken = attempts.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    if (broken) throw broken.reason;
    return addEach(deps, ownerId, items, attempts.flatMap(receivedOf));
  } finally {
    // Files that became tracks have already been moved; discarding them does nothing.
    await Promise.all(attempts.flatMap(receivedOf).map(discard));
  }
}

/** Fetches one item and its picture. Returns a refusal as an outcome; throws anything else. */
async function receive(
  deps: Deps,
  ownerId: LibraryId,
  { fileUrl, visible = false, audioProfile, details }: UrlItem,
  signal: AbortSignal,
): Promise<Received> {
  signal.throwIfAborted();
  let cover: StagedArtwork | undefined;
  let file: StagedTrackFile | undefined;
  try {
    cover = await coverOf(deps, ownerId, details, signal);
    file = await stageFromUrl(deps, fileUrl, signal);
    await describeTrackFiles(deps, ownerId, [file]);
    await keepTrackFiles(deps, [file]);
    return {
      ...file,
      visible,
      ...(audioProfile && { profile: audioProfile }),
      ...(details && { details: withCover(details, cover) }),
    };
  } catch (error) {
    if (file) await discardTrackFile(file);
    if (cover) await discardArtwork(cover);
    return refusalOrThrow(error);
  }
}

/** Returns the refusal of one item. A fault of the program ends the request. */
function refusalOrThrow(error: unknown): DomainError {
  const refusal = asRefusal(error);
  if (refusal) return refusal;
  throw error;
}

async function coverOf(
  deps: Deps,
  ownerId: LibraryId,
  details: DetailsInput | undefined,
  signal: AbortSignal,
): Promise<StagedArtwork | undefined> {
  if (typeof details?.cover !== "string") return undefined;
  return await stageArtwork(deps, ownerId, pictureAt(details.cover), signal);
}

function withCover({ cover, ...texts }: DetailsInput, staged: StagedArtwork | undefined): Details {
  if (staged) return { ...texts, cover: staged };
  return cover === null ? { ...texts, cover } : texts;
}

function addEach(
  deps: Deps,
  ownerId: LibraryId,
  items: readonly UrlItem[],
  received: readonly Received[],
): UrlUploads {
  const uploads: UrlUploads = { uploaded: [], failed: [] };
  for (const [index, { fileUrl }] of items.entries()) {
    const outcome = add(deps, ownerId, received[index]);
    if (outcome instanceof DomainError)
      uploads.failed.push({ url: fileUrl, error: outcome.message, code: outcome.code });
    else uploads.uploaded.push(...outcome);
  }
  return uploads;
}

function add(
  deps: Deps,
  ownerId: LibraryId,
  file: Received | undefined,
): UrlUploads["uploaded"] | DomainError {
  if (!file) return [];
  if (file instanceof DomainError) return file;
  try {
    return addTracks(deps, ownerId, [file]).map(({ id, name, visible }) => ({ id, name, visible }));
  } catch (error) {
    return refusalOrThrow(error);
  }
}

const receivedOf = (attempt: PromiseSettledResult<Received>): Received[] =>
  attempt.status === "fulfilled" ? [attempt.value] : [];

async function discard(received: Received): Promise<void> {
  if (received instanceof DomainError) return;
  await discardTrackFile(received);
  if (received.details?.cover) await discardArtwork(received.details.cover);
}
