import type { Db } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import {
  discardArtwork,
  placeArtwork,
  removeUnshown,
  type StagedArtwork,
  stageArtwork,
} from "../artwork/service.ts";
import * as queries from "./queries.ts";

type CoverDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets" | "selfCommand">;
type CoverOf = Pick<queries.Subject, "trackId" | "ownerId">;

/**
 * Draws the picture that a file carries and hands it to `store`, unless the owner has said something about the cover.
 * No analysis fails because of a picture: one that cannot be had is left out.
 *
 * @throws What `store` throws, and the signal's reason when that is aborted.
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

/** Shows the picture of a file on its track, where the owner has said nothing. Call it inside a transaction. */
export function showEmbeddedCover(
  tx: Db,
  { settings }: Pick<Deps, "settings">,
  trackId: string,
  cover: StagedArtwork,
): void {
  if (isOwners(tx, trackId)) return;
  placeArtwork(settings, cover);
  queries.updateTrack(tx, trackId, { cover: cover.key });
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
      deps.log("warn", "The picture of a file could not be drawn", { trackId, error });
    return undefined;
  }
}

const isOwners = (db: Db, trackId: string) => queries.ownerFieldsOf(db, trackId).includes("cover");
