import { Type } from "@sinclair/typebox";

/** Parameters that several tools share. Every description says unit and bounds where there are any. */

export const TrackId = Type.String({ minLength: 1, description: "Track id" });
export const VersionId = Type.String({ minLength: 1, description: "Version id, from list_track_versions" });
export const PlaylistId = Type.String({ minLength: 1, description: "Playlist id" });
export const ComposerId = Type.String({ minLength: 1, description: "Composer id" });

/** One of several words. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: object) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  );

export const Detail = Type.Optional(
  OneOf(["compact", "full"], { default: "compact", description: "compact: trimmed; full: raw REST payload" }),
);
export const Page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Items a page, 1-200" }),
  ),
  cursor: Type.Optional(Type.String({ description: "paging.next_cursor of the page before" })),
};
export const Since = Type.Optional(
  Type.String({ description: "First day or time, ISO 8601 UTC, inclusive" }),
);
export const Until = Type.Optional(Type.String({ description: "Last day or time, ISO 8601 UTC, inclusive" }));

/** A text that may be left out. */
export const Text = (description: string, maxLength = 2000) =>
  Type.Optional(Type.String({ maxLength, description }));

const MAX_NAMES = 100;
/** Names of tags; the route says what a name may be. */
export const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: MAX_NAMES, description }));

/** The tag categories of a track, as they are written. */
export const TagFields = {
  genres: Names("Taxonomy genres"),
  moods: Names("Taxonomy moods"),
  types: Names("Taxonomy audioTypes"),
  vocals: Names("Taxonomy vocalTypes"),
  instruments: Names("Taxonomy instruments"),
  lyricThemes: Names("Taxonomy lyricThemes"),
  eras: Names("Taxonomy eras"),
  characters: Names("Taxonomy characters"),
  movements: Names("Taxonomy movements"),
  additionalTags: Names("Free text tags"),
};

/** A tempo that an owner writes. */
export const Bpm = Type.Optional(
  Type.Number({ exclusiveMinimum: 0, maximum: 999, description: "Tempo, BPM, above 0 to 999" }),
);

/** A value that may be null, in the short form: the list of tools has to stay small. */
export const OrNull = (type: "string" | "object") => Type.Unsafe({ type: [type, "null"] });

/** An object or a list of which an answer's schema says no more: compact and full have the rest to themselves. */
export const Anything = Type.Object({});
export const Things = Type.Array(Anything);

/** A page in an answer. */
export const PageOf = Type.Object({ data: Things, paging: Anything });
