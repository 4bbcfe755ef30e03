import { Type } from "@sinclair/typebox";
import { invalidField } from "../../kernel/errors.ts";

/** Publishes a short form of a schema in the list of tools. Calls are checked against the whole one. */
export const listedAs = (schema: object) => ({ [LISTED]: schema });
export const LISTED = "x-listed";

/** Parameters that several tools share. Every description states the unit and bounds, if any. */

export const TrackId = Type.String({ minLength: 1, description: "Track id" });
export const VersionId = Type.String({ minLength: 1, description: "Version id" });
export const PlaylistId = Type.String({ minLength: 1, description: "Playlist id" });
export const ComposerId = Type.String({ minLength: 1, description: "Composer id" });

/** A choice between several words. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: object) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  );

export const Detail = Type.Optional(
  OneOf(["compact", "full"], { default: "compact", description: "full: as REST" }),
);
export const Page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Page size" })),
  cursor: Type.Optional(Type.String({ description: "paging.next_cursor" })),
};
export const Since = Type.Optional(Type.String({ description: "First day or time" }));
export const Until = Type.Optional(Type.String({ description: "Last day or time" }));

/**
 * An argument that is another kind of change than the others.
 *
 * @throws DomainError `validation_failed` when any of the others was sent.
 */
export function requireAlone(name: string, others: Readonly<Record<string, unknown>>): void {
  const sent = Object.keys(others).filter((other) => others[other] !== undefined);
  if (sent.length > 0)
    throw invalidField(name, "not_alone", `must be sent without ${sent.join(" and ")}; make two calls`);
}

/** A change of the same client, to take back. */
export const Undo = Type.Optional(Type.String({ minLength: 1, description: "Take back: undo.id or last" }));

/** Returns the body of the request that takes back a change. @throws DomainError as {@link requireAlone} does. */
export function undoBody(undo: string, others: Readonly<Record<string, unknown>>, isRehearsal: boolean) {
  requireAlone("undo", others);
  return { ...(undo !== "last" && { undoId: undo }), ...(isRehearsal && { dryRun: true }) };
}

/** An optional text. The route checks its length. */
export const Text = (description: string) => Type.Optional(Type.String({ description }));

/** Names of tags. The route checks the names and their number. */
export const Names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** The tag categories of a track, for writing. */
export const TagFields = {
  genres: Names("Genres"),
  moods: Names("Moods"),
  types: Names("audioTypes"),
  vocals: Names("vocalTypes"),
  instruments: Names("Instruments"),
  lyricThemes: Names("lyricThemes"),
  eras: Names("Eras"),
  characters: Names("Characters"),
  movements: Names("Movements"),
  additionalTags: Names("Free text"),
};

/** A tempo set by an owner. */
export const Bpm = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 999,
    ...listedAs({ type: "number", description: "BPM" }),
  }),
);
