import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { JSON_LIMIT_BYTES, MAX_TIME } from "../../../kernel/limits.ts";
import { TrackListItem } from "../tracks/shapes.ts";

/** The most tracks that one request may name (decisions 4.26, 8.7). */
export const MAX_TRACK_IDS = 1000;

/** Characters. */
export const MAX_PLAYLIST_NAME = 120;
export const MAX_DESCRIPTION = 2000;
/** Of an album's artist and label. */
export const MAX_ALBUM_LINE = 500;
const MAX_CATALOGUE_NUMBER = 100;
const MAX_UPC = 40;

const Name = Type.String({ minLength: 1, maxLength: MAX_PLAYLIST_NAME });
const Description = nullable(Type.String({ maxLength: MAX_DESCRIPTION }));
const TrackIds = Type.Array(Type.String(), { minItems: 1, maxItems: MAX_TRACK_IDS });

const Kind = Type.Union([Type.Literal("playlist"), Type.Literal("album")]);
const AlbumType = Type.Union([
  Type.Literal("album"),
  Type.Literal("ep"),
  Type.Literal("single"),
  Type.Literal("compilation"),
]);
type AlbumType = Static<typeof AlbumType>;
const line = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

/** What an owner may say about an album; null clears a field. */
const albumFields = {
  artist: line(MAX_ALBUM_LINE, "Whose album it is; `Various Artists` for a compilation"),
  type: Type.Optional(nullable(AlbumType)),
  label: line(MAX_ALBUM_LINE, "The record label"),
  catalogueNumber: line(MAX_CATALOGUE_NUMBER, "The label's number"),
  releaseDate: line(MAX_TIME, "`YYYY`, `YYYY-MM` or `YYYY-MM-DD`"),
  upc: line(MAX_UPC, "UPC or EAN: 12 or 13 digits, the last of which is checked"),
};
const Image = nullable(
  Type.String({
    maxLength: JSON_LIMIT_BYTES,
    description:
      "An http(s) address, or a data URI, of a JPEG, PNG, WebP or GIF picture; null takes the picture away",
  }),
);
export type AlbumChange = {
  [Field in Exclude<keyof typeof albumFields, "type">]?: string | null;
} & { type?: AlbumType | null };

export const ListPlaylistsQuery = Type.Object({
  ...pageFields,
  kind: Type.Optional(
    Type.Union([Type.Literal("playlist"), Type.Literal("album")], { description: "Only these" }),
  ),
});
export type ListPlaylistsQuery = Static<typeof ListPlaylistsQuery>;

export const PlaylistParams = Type.Object({ playlistId: Type.String() });
export const PlaylistTrackParams = Type.Object({ playlistId: Type.String(), trackId: Type.String() });

const Collaborative = Type.Optional(
  Type.Boolean({
    description:
      "True: every member who may make playlists may add to it, order it and take from it, not only its maker",
  }),
);

export const CreatePlaylist = shape("CreatePlaylist", {
  name: Name,
  description: Type.Optional(Description),
  trackIds: Type.Union([TrackIds, Type.String({ minLength: 1, description: "Comma-separated" })], {
    description: `1 to ${MAX_TRACK_IDS} track ids, in order; a track may be named more than once`,
  }),
  dedupe: Type.Optional(Type.Boolean({ description: "Keep only the first of duplicate ids; default false" })),
  kind: Type.Optional(Kind),
  collaborative: Collaborative,
  ...albumFields,
});
export type CreatePlaylist = Static<typeof CreatePlaylist>;

export const UpdatePlaylist = shape("UpdatePlaylist", {
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  image: Type.Optional(Image),
  kind: Type.Optional(Kind),
  collaborative: Collaborative,
  ...albumFields,
});
export type UpdatePlaylist = Static<typeof UpdatePlaylist>;

export const TrackIdList = shape("TrackIdList", { trackIds: TrackIds });

/** A playlist in a list. */
export const Playlist = shape("Playlist", {
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  image: nullable(
    Type.String({ description: "Public address of the cover; `?size=thumbnail` gives the small one" }),
  ),
  collaborative: Type.Boolean(),
  isPinned: Type.Boolean(),
  trackCount: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  kind: Kind,
  artist: nullable(Type.String({ description: "This and what follows is null for a playlist" })),
  type: nullable(AlbumType),
  label: nullable(Type.String({ description: "The record label" })),
  catalogueNumber: nullable(Type.String({ description: "The label's number" })),
  releaseDate: nullable(Type.String({ description: "`YYYY`, `YYYY-MM` or `YYYY-MM-DD`" })),
  upc: nullable(Type.String({ description: "12 or 13 digits" })),
});
export type Playlist = Static<typeof Playlist>;

const Mode = shape("PlaylistMode", {
  mode: Type.String({ description: "`SHARE_VIEW` or `PRIVATE`; other values may be added" }),
  link: nullable(Type.String({ description: "Token of the public page; only for `SHARE_VIEW`" })),
  active: Type.Boolean({ description: "The link currently opens a page" }),
  createdAt: Timestamp,
});

const PlaylistTrack = shape("PlaylistTrack", {
  ...TrackListItem.properties,
  order: Type.Integer({ minimum: 0 }),
  downloadUrl: Type.String({ description: "Link to the original of the active version; works for one hour" }),
});
export type PlaylistTrack = TrackListItem & { order: number; downloadUrl: string };

const PlaylistDetail = shape("PlaylistDetail", {
  ...Playlist.properties,
  userId: Type.String({ description: "The owner" }),
  modes: Type.Array(Mode),
  tracks: Type.Array(PlaylistTrack, { description: "In order" }),
});
export type PlaylistDetail = Playlist & {
  userId: string;
  modes: Static<typeof Mode>[];
  tracks: PlaylistTrack[];
};

/** In-body refusals inside a 200. */
const NoSuchPlaylist = shape("NoSuchPlaylist", {
  ok: Type.Literal(false),
  error: Type.Literal("PLAYLIST_NOT_FOUND"),
});
const NoSuchTracks = shape("NoSuchTracks", {
  ok: Type.Literal(false),
  error: Type.Literal("TRACKS_NOT_FOUND"),
  message: Type.String(),
  missing: Type.Array(Type.String(), { description: "Ids that do not belong to a track of the account" }),
});
export type NoSuchPlaylist = Static<typeof NoSuchPlaylist>;
export type NoSuchTracks = Static<typeof NoSuchTracks>;

const Created = shape("CreatedPlaylist", {
  ok: Type.Literal(true),
  playlist: Type.Object({
    id: Type.String(),
    privateLink: Type.String({ description: "The playlist in the app" }),
    publicLink: Type.String({ description: "The public page" }),
    name: Type.String(),
    description: nullable(Type.String()),
  }),
  tracks: Type.Object({ count: Type.Integer(), ids: Type.Array(Type.String()) }),
});
const Updated = shape("UpdatedPlaylist", { ok: Type.Literal(true), playlist: Playlist });
const Added = shape("AddedTracks", {
  ok: Type.Literal(true),
  playlistId: Type.String(),
  added: Type.Integer(),
  trackCount: Type.Integer(),
});
const Removed = shape("RemovedTrack", {
  ok: Type.Literal(true),
  playlistId: Type.String(),
  trackId: Type.String(),
  removed: Type.Integer({ description: "How many times the track was in the playlist" }),
});
const Ordered = shape("OrderedPlaylist", {
  ok: Type.Literal(true),
  playlistId: Type.String(),
  trackIds: Type.Array(Type.String()),
});
export type Created = Static<typeof Created>;
export type Updated = { ok: true; playlist: Playlist };
export type Added = Static<typeof Added>;
export type Removed = Static<typeof Removed>;
export type Ordered = Static<typeof Ordered>;

export const GetPlaylistAnswer = Type.Union([PlaylistDetail, NoSuchPlaylist]);
export const CreatePlaylistAnswer = Type.Union([Created, NoSuchTracks]);
export const UpdatePlaylistAnswer = Type.Union([Updated, NoSuchPlaylist]);
export const AddTracksAnswer = Type.Union([Added, NoSuchPlaylist, NoSuchTracks]);
export const RemoveTrackAnswer = Type.Union([Removed, NoSuchPlaylist]);
export const OrderPlaylistAnswer = Type.Union([Ordered, NoSuchPlaylist]);
