import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

/** How long the bin keeps tracks and playlists. */
export const BIN_DAYS = 30;

export const BinTrackParams = Type.Object({ trackId: Type.String() });
export const BinPlaylistParams = Type.Object({ playlistId: Type.String() });

const DeletesAt = Type.String({
  format: "date-time",
  description: "When it is deleted for good, unless it is restored before",
});

/** Confirms that something is in the bin now. */
export const Binned = shape("Binned", {
  ok: Type.Literal(true),
  id: Type.String(),
  deletedAt: Timestamp,
  deletesAt: DeletesAt,
});
export type Binned = Static<typeof Binned>;

/** Confirms that something is out of the bin. */
export const Restored = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });
export type Restored = Static<typeof Restored>;

/** Confirms what was deleted for good. */
export const Emptied = shape("Emptied", { ok: Type.Literal(true), deleted: Type.Integer({ minimum: 0 }) });
export type Emptied = Static<typeof Emptied>;

export const BinnedTrack = shape("BinnedTrack", {
  id: Type.String(),
  name: Type.String({ description: "File display name" }),
  title: Type.String(),
  artist: nullable(Type.String()),
  cover: nullable(Type.String({ description: "Address of the cover" })),
  durationSec: nullable(Type.Number()),
  versions: Type.Integer({ minimum: 1 }),
  deletedAt: Timestamp,
  deletesAt: DeletesAt,
});
export type BinnedTrack = Static<typeof BinnedTrack>;

export const BinnedPlaylist = shape("BinnedPlaylist", {
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  trackCount: Type.Integer({ minimum: 0 }),
  deletedAt: Timestamp,
  deletesAt: DeletesAt,
});
export type BinnedPlaylist = Static<typeof BinnedPlaylist>;
