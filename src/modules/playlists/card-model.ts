import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../http/envelope.ts";
import { CreatePlaylist, MAX_TRACK_IDS, Playlist } from "./model.ts";

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** A playlist as the console shows it: with what its list of tracks adds up to. */
export const PlaylistCard = shape("PlaylistCard", {
  ...Playlist.properties,
  durationSec: Type.Number({ minimum: 0, description: "Sum over the tracks whose length is known" }),
  covers: Type.Array(
    Type.Object({ trackId: Type.String(), cover: nullable(Type.String({ description: "Address" })) }),
    { maxItems: 4, description: "The first four different tracks" },
  ),
});
export type PlaylistCard = Static<typeof PlaylistCard>;

/** As over REST, except that a playlist may begin without tracks. */
export const NewPlaylist = shape("NewPlaylist", {
  name: CreatePlaylist.properties.name,
  description: CreatePlaylist.properties.description,
  trackIds: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_TRACK_IDS })),
});
export type NewPlaylist = Static<typeof NewPlaylist>;

/** A track's place in a playlist. */
export const PlaylistRow = shape("PlaylistRow", {
  placeId: Type.Integer({ description: "Distinguishes the places of a track that occurs more than once" }),
  id: Type.String({ description: "The track" }),
  title: Type.String({ description: "The title, or the name where there is none" }),
  artist: text,
  cover: nullable(Type.String({ description: "Address of the cover" })),
  activeVersionId: Type.String(),
  activeLabel: nullable(Type.String({ description: "Label of the active version; null: the original" })),
  bpm: number,
  key: text,
  durationSec: number,
  integratedLufs: nullable(Type.Number({ description: "Of the active version" })),
  status: Type.String({ description: "State of the analysis" }),
  visible: Type.Boolean(),
});
export type PlaylistRow = Static<typeof PlaylistRow>;
