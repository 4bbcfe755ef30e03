import { type Db, transact } from "../../../../db/client.ts";
import type { Member } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requireText } from "../../../kernel/text.ts";
import {
  discardArtwork,
  pictureAt,
  placeArtwork,
  removeUnshown,
  type StagedArtwork,
  stageArtwork,
} from "../artwork/service.ts";
import { readAlbum } from "./album.ts";
import { findChangeable } from "./changeable.ts";
import * as queries from "./queries.ts";
import type { NoSuchPlaylist, Updated, UpdatePlaylist } from "./shapes.ts";
import { noSuchPlaylist, toPlaylist } from "./wire.ts";

/** A playlist, and who changes it. */
type Target = { actor: Member; id: string };

/**
 * Changes the fields sent of a playlist or an album; null clears a field. One that becomes an album is of the type `album` until
 * its owner says otherwise.
 *
 * @throws DomainError `validation_failed` for a blank name, and as `readAlbum`; `invalid_image_url`, `invalid_image_type`,
 *   `image_download_failed` and `insufficient_storage` for a picture; `insufficient_scope` for the playlist of somebody else, where
 *   the role allows changing only one's own. Nothing changes then.
 */
export async function updatePlaylist(
  deps: Deps,
  target: Target,
  { image, ...texts }: UpdatePlaylist,
  signal: AbortSignal,
): Promise<Updated | NoSuchPlaylist> {
  const source = typeof image === "string" ? pictureAt(image) : undefined;
  // Before anything is fetched for it.
  if (!findChangeable(deps.db, target.actor, target.id)) return noSuchPlaylist();
  const staged = source && (await stageArtwork(deps, target.actor.accountId, source, signal));
  try {
    const written = transact(deps.db, (tx) => write(tx, deps, target, texts, staged ?? image));
    removeUnshown(deps, [written?.formerImage]);
    return written ? { ok: true, playlist: toPlaylist(deps.settings, written.row) } : noSuchPlaylist();
  } finally {
    // A placed picture has been moved already. After a failed change, this removes the one that nothing shows.
    if (staged) await discardArtwork(staged);
    removeUnshown(deps, [staged?.key]);
  }
}

type Texts = Omit<UpdatePlaylist, "image">;
type Written = { row: queries.ListedPlaylist; formerImage: string | null };

/** @param image Null takes the picture away; undefined leaves it. */
function write(
  tx: Db,
  { now, settings }: Pick<Deps, "now" | "settings">,
  target: Target,
  texts: Texts,
  image: StagedArtwork | string | null | undefined,
): Written | undefined {
  const before = findChangeable(tx, target.actor, target.id);
  if (!before) return undefined;
  const [ownerId, id] = [target.actor.accountId, target.id];
  const picture = typeof image === "string" ? undefined : image;
  const change = {
    ...changeOf(before, texts),
    ...(picture !== undefined && { image: picture?.key ?? null }),
  };
  if (picture) placeArtwork(settings, picture);
  if (Object.keys(change).length > 0)
    queries.updatePlaylist(tx, ownerId, id, { ...change, updatedAt: now() });
  return { row: queries.findPlaylist(tx, ownerId, id) ?? before, formerImage: before.image };
}

function changeOf(
  before: queries.ListedPlaylist,
  { name, description, kind, collaborative, ...album }: Texts,
): Partial<queries.PlaylistRow> {
  const isNewAlbum = kind === "album" && before.albumType === null;
  return {
    ...(name !== undefined && { name: requireText("name", name) }),
    ...(description !== undefined && { description }),
    ...(kind !== undefined && { kind }),
    ...(collaborative !== undefined && { collaborative }),
    ...(isNewAlbum && { albumType: "album" as const }),
    ...readAlbum(album, kind ?? before.kind),
  };
}
