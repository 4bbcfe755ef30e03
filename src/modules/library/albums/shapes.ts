import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { JSON_LIMIT_BYTES } from "../../../kernel/limits.ts";

/** The longest path of a file in a folder. */
export const MAX_PATH = 4096;

export const AlbumParams = Type.Object({ playlistId: Type.String({ description: "The album" }) });

export const Settled = shape(
  "SettledAlbum",
  { tracks: Type.Integer({ minimum: 0, description: "How many songs it was about" }) },
  { description: "What became of an album that came in by itself" },
);
export type Settled = Static<typeof Settled>;

const path = Type.String({
  minLength: 1,
  maxLength: MAX_PATH,
  description: "The picture's name, with the folders that it was in, as the songs beside it have them",
});
const image = Type.String({
  minLength: 1,
  maxLength: JSON_LIMIT_BYTES,
  description: "A JPEG, PNG, WebP or GIF in base64, or its data URI",
});

export const SideCover = shape(
  "SideCover",
  { path, image },
  { description: "A picture that lay beside songs" },
);

export const Covered = shape(
  "CoveredFolder",
  {
    albumId: nullable(
      Type.String({ description: "The album that shows it; null: the songs are not an album" }),
    ),
    covered: Type.Integer({ minimum: 0, description: "Songs that show it now, and had no picture before" }),
    songs: Type.Integer({ minimum: 0, description: "Songs that came in with its folder" }),
  },
  { description: "What shows a picture" },
);
export type Covered = Static<typeof Covered>;

export const ArrivedAlbum = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    artist: nullable(Type.String()),
    image: nullable(Type.String({ description: "Address of its cover" })),
    trackCount: Type.Integer({ minimum: 0 }),
    added: Type.Integer({ minimum: 0, description: "How many of these files are on it" }),
  },
  { description: "An album that the files are on" },
);
export type ArrivedAlbum = Static<typeof ArrivedAlbum>;
