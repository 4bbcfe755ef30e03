import { OptionalKind, type TNull, type TOptional, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { pageFields } from "../../http/page-query.ts";
import { invalidField } from "../../kernel/errors.ts";
import { StatsQuery } from "../../modules/library/analytics/shapes.ts";
import { TrackTagsBody } from "../../modules/library/tags/shapes.ts";

/** Publishes a short form of a schema in the list of tools. Calls are checked against the whole one. */
export const listedAs = (schema: object) => ({ [LISTED]: schema });
export const LISTED = "x-listed";

type Limit = "minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum" | "default";
type NotNull<Schema> = Schema extends TUnion<[infer Inner extends TSchema, TNull]> ? Inner : Schema;
type Field<Schema extends TSchema> = Schema extends { [OptionalKind]: "Optional" }
  ? TOptional<NotNull<Schema> & TSchema>
  : NotNull<Schema>;

/**
 * Returns an argument that is a field of the tool's operation, described in a few words. Null, with which programs clear a
 * field, is left out. A call is checked against all limits of the field; the list of tools has room only for those in `shown`.
 */
export function field<Schema extends TSchema>(
  schema: Schema,
  description: string,
  ...shown: readonly Limit[]
): Field<Schema> {
  const taken = withoutNull(schema);
  const limits = Object.fromEntries(shown.map((limit) => [limit, taken[limit]]));
  const made: TSchema = { ...taken, ...listedAs({ ...limits, description, ...kindOf(taken) }) };
  return (schema[OptionalKind] ? Type.Optional(made) : made) as Field<Schema>;
}

/** Returns what the list of tools says of a kind of value: of words to choose from, the words. */
function kindOf({ type, items, anyOf }: TSchema): object {
  if (anyOf) return { type: "string", enum: anyOf.map((word: TSchema) => word.const) };
  return items ? { type, items: kindOf(items) } : { type };
}

function withoutNull(schema: TSchema): TSchema {
  const [first, second]: TSchema[] = schema.anyOf ?? [];
  return first && second?.type === "null" ? first : schema;
}

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
  limit: Type.Optional(field(pageFields.limit, "Page size", "minimum", "maximum", "default")),
  cursor: field(pageFields.cursor, "paging.next_cursor"),
};
export const Since = field(StatsQuery.properties.since, "First day or time");
export const Until = field(StatsQuery.properties.until, "Last day or time");

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

const tags = TrackTagsBody.properties;

/** The tag categories of a track, for writing. */
export const TagFields = {
  genres: field(tags.genres, "Genres"),
  moods: field(tags.moods, "Moods"),
  types: field(tags.types, "audioTypes"),
  vocals: field(tags.vocals, "vocalTypes"),
  instruments: field(tags.instruments, "Instruments"),
  lyricThemes: field(tags.lyricThemes, "lyricThemes"),
  eras: field(tags.eras, "Eras"),
  characters: field(tags.characters, "Characters"),
  movements: field(tags.movements, "Movements"),
  additionalTags: field(tags.additionalTags, "Free text"),
};
