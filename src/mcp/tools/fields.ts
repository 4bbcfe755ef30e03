import { Type } from "@sinclair/typebox";

/** Parameters that several tools share. Every description states the unit and bounds, if any. */

export const TrackId = Type.String({ minLength: 1, description: "Track id" });
export const VersionId = Type.String({ minLength: 1, description: "Version id, from list_track_versions" });
export const PlaylistId = Type.String({ minLength: 1, description: "Playlist id" });
export const ComposerId = Type.String({ minLength: 1, description: "Composer id" });

/** A choice between several words. */
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
  cursor: Type.Optional(Type.String({ description: "paging.next_cursor of the previous page" })),
};
export const Since = Type.Optional(
  Type.String({ description: "First day or time, ISO 8601 UTC, inclusive" }),
);
export const Until = Type.Optional(Type.String({ description: "Last day or time, ISO 8601 UTC, inclusive" }));

/** An optional text. */
export const Text = (description: string, maxLength = 2000) =>
  Type.Optional(Type.String({ maxLength, description }));

const MAX_NAMES = 100;
/** Names of tags. The route checks the names. */
export const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: MAX_NAMES, description }));

/** The tag categories of a track, for writing. */
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

/** A tempo set by an owner. */
export const Bpm = Type.Optional(
  Type.Number({ exclusiveMinimum: 0, maximum: 999, description: "Tempo, BPM, above 0 to 999" }),
);

/** A value that may be null, in a short form that keeps the list of tools small. */
export const OrNull = (type: "string" | "object") => Type.Unsafe({ type: [type, "null"] });

/** An object or list that an answer's schema does not describe further, because compact and full differ. */
export const Anything = Type.Object({});
export const Things = Type.Array(Anything);

/** A page in an answer. */
export const PageOf = Type.Object({ data: Things, paging: Anything });
