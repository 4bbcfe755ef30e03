import { setImmediate } from "node:timers/promises";
import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { withLocalCopy } from "../../../blobs/store.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { MediaError } from "../../../media/media-error.ts";
import { probeFile } from "../../../media/tags/probe.ts";
import {
  discardArtwork,
  placeArtwork,
  removeUnshown,
  type StagedArtwork,
  stageArtwork,
} from "../artwork/service.ts";
import { updateTrack } from "../catalog/service.ts";
import * as queries from "./queries.ts";

type CoverDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets" | "selfCommand">;
type CoverOf = Pick<queries.Subject, "trackId" | "ownerId">;

/**
 * Renders the picture embedded in a file and passes it to `store`, unless the owner has set or removed the cover. A
 * picture never makes an analysis fail: one that cannot be read is left out.
 *
 * @throws What `store` throws, and the signal's reason when it is aborted.
 */
export async function withEmbeddedCover(
  deps: CoverDeps,
  { subject, artwork, signal }: { subject: CoverOf; artwork: Uint8Array | undefined; signal: AbortSignal },
  store: (cover: StagedArtwork | undefined) => void,
): Promise<void> {
  const cover = artwork && (await stage(deps, subject, artwork, signal));
  if (!cover) return store(undefined);
  const former = queries.coverOf(deps.db, subject.trackId);
  try {
    store(cover);
  } finally {
    await discardArtwork(cover);
    removeUnshown(deps, [former, cover.key]);
  }
}

/**
 * The job that gives analysed tracks the pictures of their files, a batch per run; payload `{ after }`, the track that the
 * last batch ended with. Migration 0010 promises the first.
 */
export const EMBEDDED_COVERS_JOB = "embedded-covers";
const BATCH_TRACKS = 100;

/** Returns the handler of {@link EMBEDDED_COVERS_JOB}; each run promises the next until no track is left. */
export function embeddedCoversHandler(deps: CoverDeps & Pick<Deps, "now" | "ffmpegPath">): JobHandler {
  return async ({ after }, { signal }) => {
    const trackIds = queries.listCoverless(deps.db, String(after ?? ""), BATCH_TRACKS);
    for (const trackId of trackIds) {
      signal.throwIfAborted();
      await addEmbeddedCover(deps, trackId, signal);
    }
    const last = trackIds.at(-1);
    if (last === undefined) return;
    const next = { name: EMBEDDED_COVERS_JOB, payload: { after: last }, uniqueKey: "" };
    transact(deps.db, (tx) => enqueue(tx, next, deps.now()));
  };
}

/**
 * Shows a picture that lay beside the files of tracks on those that have none, unless their owner removed it. A picture in
 * the file itself takes its place as soon as that is analysed. Returns how many tracks show it now.
 *
 * @throws DomainError `invalid_image_type`, `insufficient_storage`.
 */
export async function addFolderCover(
  deps: Omit<CoverDeps, "log">,
  ownerId: LibraryId,
  trackIds: readonly string[],
  bytes: Uint8Array,
): Promise<number> {
  const isBare = (db: Db, id: string) => queries.coverOf(db, id) === null && !isOwners(db, id);
  if (!trackIds.some((id) => isBare(deps.db, id))) return 0;
  const cover = await stageArtwork(deps, ownerId, { bytes }, new AbortController().signal);
  try {
    return transact(deps.db, (tx) => {
      const bare = trackIds.filter((id) => isBare(tx, id));
      if (bare.length > 0) placeArtwork(deps.settings, cover);
      for (const trackId of bare) {
        updateTrack(tx, trackId, { cover: cover.key });
        tellCover(tx, deps, { trackId, ownerId });
      }
      return bare.length;
    });
  } finally {
    await discardArtwork(cover);
    removeUnshown(deps, [cover.key]);
  }
}

async function addEmbeddedCover(
  deps: CoverDeps & Pick<Deps, "now" | "ffmpegPath">,
  trackId: string,
  signal: AbortSignal,
): Promise<void> {
  // Requests come between any two tracks, also where no file is read.
  await setImmediate();
  const subject = isOwners(deps.db, trackId) ? undefined : queries.findSubject(deps.db, trackId);
  const artwork = subject && (await readArtwork(deps, subject.sha256, signal));
  if (!artwork) return;
  await withEmbeddedCover(deps, { subject, artwork, signal }, (cover) => {
    if (cover) transact(deps.db, (tx) => addCover(tx, deps, subject, cover));
  });
}

function addCover(
  tx: Db,
  deps: Pick<Deps, "settings" | "now">,
  { trackId, ownerId, versionId }: queries.Subject,
  cover: StagedArtwork,
): void {
  const current = queries.findSubject(tx, trackId);
  // If another version is active now, its analysis brings its own picture.
  if (current?.versionId !== versionId || !showEmbeddedCover(tx, deps, trackId, cover)) return;
  tellCover(tx, deps, { trackId, ownerId });
}

function tellCover(tx: Db, { now }: Pick<Deps, "now">, { trackId, ownerId }: CoverOf): void {
  const name = queries.nameOf(tx, trackId);
  emit(tx, ownerId, "track.updated", { trackId, name, changed: ["cover"] }, now());
}

/** Returns the picture embedded in a stored file, or undefined when there is no picture or no file. */
async function readArtwork(
  { settings, ffmpegPath, selfCommand }: Pick<Deps, "settings" | "ffmpegPath" | "selfCommand">,
  sha256: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  return withLocalCopy(settings, sha256, async (path) => {
    const format = await sniffFile(path);
    if (!format) return undefined;
    try {
      return (await probeFile({ path, format, ffmpegPath, selfCommand, signal })).artwork?.bytes;
    } catch (error) {
      if (error instanceof MediaError) return undefined;
      throw error;
    }
  });
}

/**
 * Shows the picture of a file on its track, unless the owner has set the cover. Call it inside a transaction.
 *
 * @returns Whether it is shown now.
 */
export function showEmbeddedCover(
  tx: Db,
  { settings }: Pick<Deps, "settings">,
  trackId: string,
  cover: StagedArtwork,
): boolean {
  if (isOwners(tx, trackId)) return false;
  placeArtwork(settings, cover);
  updateTrack(tx, trackId, { cover: cover.key });
  return true;
}

async function stage(
  deps: CoverDeps,
  { trackId, ownerId }: CoverOf,
  artwork: Uint8Array,
  signal: AbortSignal,
): Promise<StagedArtwork | undefined> {
  if (isOwners(deps.db, trackId)) return undefined;
  try {
    return await stageArtwork(deps, ownerId, { bytes: artwork }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError))
      deps.log("warn", "The picture embedded in a file could not be rendered", { trackId, error });
    return undefined;
  }
}

const isOwners = (db: Db, trackId: string) => queries.ownerFieldsOf(db, trackId).includes("cover");
