import { transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Viewer } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { emit } from "../../../../kernel/events.ts";
import { requireText } from "../../../../kernel/text.ts";
import {
  type ArtworkSource,
  addressedPicture,
  artworkUrl,
  base64Picture,
  discardArtwork,
  pictureAt,
  removeUnshown,
  stageArtwork,
} from "../../artwork/service.ts";
import { getOwnedTrack } from "../../catalog/service.ts";
import { findTrack } from "../service.ts";
import type { SingleTrack } from "../shapes.ts";
import { applyDetails, type Details } from "./apply-details.ts";
import type { CoverArt, CoverArtInput, DetailsInput } from "./details-shapes.ts";

/** The track to change, and the account that owns it. */
type Target = { ownerId: LibraryId; trackId: string };

/**
 * Changes the details that were sent and announces the fields that changed. The original file stays as it is.
 *
 * @returns The track after the change.
 * @throws DomainError `validation_failed` for a blank name; `track_not_found`; `invalid_image_url`,
 *   `invalid_image_type`, `image_download_failed` and `insufficient_storage` for a cover. Nothing changes then.
 */
export async function updateDetails(
  deps: Deps,
  { viewer, ...target }: Target & { viewer: Viewer },
  { cover, ...texts }: DetailsInput,
  signal: AbortSignal,
): Promise<SingleTrack> {
  if (typeof texts.name === "string") requireText("name", texts.name);
  const source = typeof cover === "string" ? pictureAt(cover) : undefined;
  getOwnedTrack(deps.db, target.ownerId, target.trackId); // before anything is fetched for it
  if (source) await changeCover(deps, target, { source, texts }, signal);
  else change(deps, target, cover === null ? { ...texts, cover } : texts);
  const { allowed } = viewer;
  return findTrack(deps, { accountId: target.ownerId, ...(allowed && { allowed }) }, target.trackId);
}

/**
 * Gives a track a cover.
 *
 * @throws DomainError `missing_image`, and the errors of {@link updateDetails}.
 */
export async function setCoverArt(
  deps: Deps,
  ownerId: LibraryId,
  { trackId, url, base64 }: CoverArtInput,
  signal: AbortSignal,
): Promise<CoverArt> {
  const source = base64 ? base64Picture(base64) : url ? addressedPicture(url) : undefined;
  if (!source) throw new DomainError("missing_image", "Send `url`, or `base64`");
  const target = { ownerId, trackId };
  getOwnedTrack(deps.db, target.ownerId, target.trackId); // before anything is fetched for it
  const key = await changeCover(deps, target, { source, texts: {} }, signal);
  return { url: artworkUrl(deps.settings, key), key, trackId };
}

type CoverChange = { source: ArtworkSource; texts: Omit<DetailsInput, "cover"> };

/** Returns the key of the new cover. */
async function changeCover(
  deps: Deps,
  target: Target,
  { source, texts }: CoverChange,
  signal: AbortSignal,
): Promise<string> {
  const cover = await stageArtwork(deps, target.ownerId, source, signal);
  try {
    change(deps, target, { ...texts, cover });
    return cover.key;
  } finally {
    // A placed picture has already been moved. After a failed change, this removes the picture that nothing shows.
    await discardArtwork(cover);
    removeUnshown(deps, [cover.key]);
  }
}

function change(deps: Deps, { ownerId, trackId }: Target, details: Details): void {
  const applied = transact(deps.db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    const applied = applyDetails(tx, deps, { trackId, details });
    const { name, changed } = applied;
    if (changed.length > 0) emit(tx, ownerId, "track.updated", { trackId, name, changed }, deps.now());
    return applied;
  });
  removeUnshown(deps, [applied.formerCover]);
}
