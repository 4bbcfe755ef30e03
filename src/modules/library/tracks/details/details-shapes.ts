import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../../http/envelope.ts";
import { JSON_LIMIT_BYTES } from "../../../../kernel/limits.ts";

/** Characters of a detail, of lyrics and notes, and of a file's name. */
export const MAX_LINE = 2000;
export const MAX_PROSE = 100_000;
export const MAX_FILE_NAME = 255;
/** Beats per minute. */
export const MAX_BPM = 999;

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description && { description }) })));
const line = (description?: string) => text(MAX_LINE, description);

/**
 * The details that an owner can set on a track (decisions 4.10 to 4.14). Only fields that are sent change; null clears
 * a field. A cleared tempo or key falls back to the measured one, a cleared name to the file's; a cleared text stays
 * empty.
 */
export const DetailsInput = shape("DetailsInput", {
  title: line(),
  artist: line(),
  album: line(),
  album_artist: line(),
  composer: line(),
  album_composer: line(),
  year: line("Text, stored as sent, like every field here except `bpm`"),
  album_year: line(),
  isrc: line("Kept in upper case, without hyphens"),
  key: line("A musical key's name; null: the measured one"),
  trackGenre: line("Free text, in addition to the taxonomy's genres"),
  track_number: line(),
  disc_number: line(),
  total_tracks_album: line(),
  total_discs_album: line(),
  total_discs_albumm: line("Alias of `total_discs_album`, which takes precedence"),
  name: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_FILE_NAME,
        description: "The file's display name; null: the name it was uploaded with",
      }),
    ),
  ),
  lyrics: text(MAX_PROSE),
  notes: text(MAX_PROSE),
  recordLabel: line(),
  language: line("Language of the lyrics: ISO 639-1 code or English name"),
  cover: text(JSON_LIMIT_BYTES, "An http(s) address, or a data URI, of a JPEG, PNG, WebP or GIF picture"),
  bpm: Type.Optional(
    nullable(Type.Number({ exclusiveMinimum: 0, maximum: MAX_BPM, description: "Null: the measured tempo" })),
  ),
});
export type DetailsInput = Static<typeof DetailsInput>;

export const DetailsQuery = Type.Object({ id: Type.String({ minLength: 1, description: "The track" }) });

export const CoverArtInput = shape("CoverArtInput", {
  trackId: Type.String({ minLength: 1 }),
  url: text(MAX_LINE * 4, "Public address of a picture"),
  base64: text(JSON_LIMIT_BYTES, "A picture in base64, or its data URI; takes precedence over `url`"),
  filename: Type.Optional(nullable(Type.String({ maxLength: MAX_FILE_NAME, default: "cover.jpg" }))),
});
export type CoverArtInput = Static<typeof CoverArtInput>;

export const CoverArt = shape("CoverArt", {
  url: Type.String({ format: "uri", description: "Public; add `?size=thumbnail` for the small one" }),
  key: Type.String({ description: "Storage key" }),
  trackId: Type.String(),
});
export type CoverArt = Static<typeof CoverArt>;
