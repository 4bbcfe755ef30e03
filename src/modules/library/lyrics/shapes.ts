import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape } from "../../../http/envelope.ts";
import { MAX_LYRIC_LINES, MAX_LYRIC_MS, MAX_LYRICS } from "../../../kernel/limits.ts";

/** Characters of an LRC file: words, and times before them. */
export const MAX_LRC = 2 * MAX_LYRICS;
/** Characters of a revision. */
const MAX_REVISION = 64;

const LyricLine = shape("LyricLine", {
  text: Type.String({ maxLength: MAX_LYRICS, description: "Blank between stanzas" }),
  atMs: nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_LYRIC_MS,
      description: "When it is sung, in milliseconds from the beginning of the version; null: not known",
    }),
  ),
});

const Lines = Type.Array(LyricLine, { maxItems: MAX_LYRIC_LINES });
const Origin = Type.Union([Type.Literal("written"), Type.Literal("file"), Type.Literal("carried")]);

/** The words of a track, and when they are sung in one of its versions. */
export const Lyrics = shape("Lyrics", {
  trackId: Type.String(),
  versionId: Type.String(),
  lyrics: nullable(Type.String({ description: "The words, as the track has them" })),
  language: nullable(Type.String({ description: "As the track has it" })),
  lines: described(Type.Array(LyricLine), "The words line by line; empty without words"),
  origin: nullable(
    described(
      Origin,
      "Where the times come from: a person, the tags of the version's file, or another version of the track; null: no line has a time",
    ),
  ),
  revision: Type.String({ description: "Changes with the words and the times; `base` of a change" }),
});
export type Lyrics = Static<typeof Lyrics>;

export const LyricsParams = Type.Object({ trackId: Type.String() });

const versionId = Type.Optional(
  Type.String({ description: "The version that the times are of; left out: the one that plays" }),
);

export const LyricsQuery = Type.Object({ versionId });

export const LyricsFileQuery = Type.Object({
  versionId,
  format: Type.Union([Type.Literal("lrc"), Type.Literal("txt")], {
    default: "lrc",
    description: "With times (`lrc`), or the words alone (`txt`)",
  }),
});
export type LyricsFileQuery = Static<typeof LyricsFileQuery>;

/** Body of `PUT /tracks/{trackId}/lyrics`: one of `lyrics`, `lrc` and `lines`. */
export const WriteLyrics = shape("WriteLyrics", {
  lyrics: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_LYRICS,
        description: "The words; lines that stay keep their times. Null: none",
      }),
    ),
  ),
  lrc: Type.Optional(
    Type.String({ maxLength: MAX_LRC, description: "The text of an LRC file; without times it is words" }),
  ),
  lines: Type.Optional(described(Lines, "The words line by line with their times, which ascend")),
  versionId,
  unlessWritten: Type.Optional(
    Type.Boolean({
      description:
        "What a person has written stays: the words of the track, and the times of the version. For files that lie beside the music; " +
        "default false",
    }),
  ),
  base: Type.Optional(
    Type.String({ maxLength: MAX_REVISION, description: "The `revision` that the editor began with" }),
  ),
});
export type WriteLyrics = Static<typeof WriteLyrics>;

export const WrittenLyrics = shape("WrittenLyrics", {
  ...Lyrics.properties,
  wordTimesDropped: Type.Integer({
    minimum: 0,
    description: "Times of single words in `lrc`, which are not kept",
  }),
});
export type WrittenLyrics = Static<typeof WrittenLyrics>;
