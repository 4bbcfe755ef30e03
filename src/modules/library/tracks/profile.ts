import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value, ValueErrorType } from "@sinclair/typebox/value";
import { invalidField, invalidRequest } from "../../../kernel/errors.ts";
import { ShareholderInputs } from "../composers/shapes.ts";
import { MAX_NAMES, MAX_TAG } from "../tags/shapes.ts";
import { DetailsInput, MAX_BPM } from "./details/details-shapes.ts";

/** Characters of the other texts. */
const MAX_TEXT = 500;

const Text = Type.Optional(Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()]));
const TagNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: MAX_TAG }), { maxItems: MAX_NAMES, description }));

/** What an owner can say about a track while uploading it (decision 4.7). Null means the same as leaving it out. */
export const AudioProfileInput = Type.Object(
  {
    title: Text,
    artist: Text,
    key: Text,
    bpm: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: MAX_BPM }), Type.Null()])),
    genres: TagNames("Taxonomy names in any case, as in every list but the last"),
    moods: TagNames("Taxonomy: moods"),
    types: TagNames("Taxonomy: audioTypes"),
    vocals: TagNames("Taxonomy: vocalTypes"),
    instruments: TagNames("Taxonomy: instruments"),
    lyricThemes: TagNames("Taxonomy: lyricThemes"),
    eras: TagNames("Taxonomy: eras"),
    characters: TagNames("Taxonomy: characters"),
    movements: TagNames("Taxonomy: movements"),
    additionalTags: TagNames("Free text"),
    shareholders: Type.Optional(ShareholderInputs),
  },
  { $id: "AudioProfileInput" },
);
export type AudioProfileInput = Static<typeof AudioProfileInput>;

/** The `audioProfiles` field of an upload: profiles by file name. */
export const AudioProfiles = Type.Array(
  Type.Object({
    name: Type.String({ description: "Name of a file in this request" }),
    audioProfile: AudioProfileInput,
    details: Type.Optional(Type.Omit(DetailsInput, ["cover"])),
  }),
);
export type NamedProfile = Static<typeof AudioProfiles>[number];

/**
 * Reads the `audioProfiles` field.
 *
 * @throws DomainError `validation_failed` for malformed JSON or another shape.
 */
export function parseAudioProfiles(json: string): NamedProfile[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalidField("audioProfiles", "malformed_json", "not well-formed JSON");
  }
  if (Value.Check(AudioProfiles, value)) return value;
  throw invalidRequest(issuesOf(AudioProfiles, value));
}

/**
 * Gives each file the first unused profile with its name. Profiles that match no file are ignored (decision 4.6).
 *
 * @param sameName Normalises a name, so that different spellings compare equal.
 */
export function matchProfiles(
  filenames: readonly string[],
  profiles: readonly NamedProfile[],
  sameName: (name: string) => string,
): (NamedProfile | undefined)[] {
  const waiting = Map.groupBy(profiles, ({ name }) => sameName(name));
  return filenames.map((filename) => waiting.get(sameName(filename))?.shift());
}

function issuesOf(schema: TSchema, value: unknown) {
  return Array.from(Value.Errors(schema, value), ({ path, type, message }) => ({
    path: `audioProfiles${path.replaceAll("/", ".")}`,
    code: (ValueErrorType[type] ?? "invalid").replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase(),
    detail: message,
  }));
}
