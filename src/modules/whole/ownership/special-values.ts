import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ColumnRule } from "../../../../db/account-columns.ts";
import { MAX_LYRIC_LINES, MAX_LYRIC_MS, MAX_LYRICS } from "../../../kernel/limits.ts";
import { METRES, SECTION_KINDS } from "../../../kernel/structures.ts";
import { isMediaType } from "../../../media/formats/sniff.ts";
import { DeliverySettings } from "../../delivery/packages/shapes.ts";
import { AiUse, MAX_AI_USES } from "../../library/rights/shapes.ts";
import { readBrand, readColour } from "../../people/brand/service.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import { MAX_EMAIL } from "../../people/people/shapes.ts";

type Special = Extract<ColumnRule, { is: "special" }>["as"];
type BytesAs = NonNullable<Extract<ColumnRule, { is: "bytes" }>["as"]>;

const MAX_JSON_CHARACTERS = 1_000_000;
const MAX_JSON_DEPTH = 40;
/** Ten hours of levels. */
const MAX_INFLATED_BYTES = 8 * 1024 * 1024;
const FLOAT32_BYTES = 4;
const FLOAT64_BYTES = 8;

const Text = Type.String({ maxLength: 2000 });
const strings = Type.Array(Text, { maxItems: 10_000 });
const finite = (minimum: number, maximum: number) => Type.Number({ minimum, maximum });
const optional = (...kinds: TSchema[]) => Type.Optional(Type.Union(kinds));
const Sentence = optional(Type.Null(), Type.String({ maxLength: 500 }));
const Tag = optional(Type.String({ maxLength: 200_000 }));
const TagNumber = optional(finite(-1e9, 1e9));
const anything = Type.Object({});

/** The forms of JSON. What a form does not name is served as it is, if at all. */
const FORMS = {
  aiUse: Type.Array(AiUse, { maxItems: MAX_AI_USES }),
  arguments: anything,
  candidates: Type.Array(Type.Object({ bpm: finite(1, 1000), confidence: finite(0, 1) }), { maxItems: 20 }),
  changes: Type.Array(Type.Object({ path: Text }), { maxItems: 100 }),
  decibels: Type.Array(Type.Union([Type.Null(), finite(-400, 400)]), { maxItems: 20 }),
  delivered: DeliverySettings,
  faults: Type.Record(
    Type.String({ maxLength: 40 }),
    Type.Union([finite(-1e9, 1e9), Type.Boolean(), Type.Null()]),
    { maxProperties: 64 },
  ),
  features: Type.Record(Type.String({ maxLength: 40 }), finite(-1e6, 1e6), { maxProperties: 64 }),
  fileTags: Type.Object({
    ...{ title: Tag, artist: Tag, album: Tag, albumArtist: Tag, composer: Tag, isrc: Tag, key: Tag },
    ...{ lyrics: Tag, comment: Tag, year: TagNumber, bpm: TagNumber, trackNumber: TagNumber },
    ...{ discNumber: TagNumber, totalTracks: TagNumber, totalDiscs: TagNumber },
    genres: Type.Optional(strings),
  }),
  object: anything,
  pack: Type.Object({ trackIds: strings, leftOut: strings }),
  parts: Type.Array(Type.Array(finite(0, 1e6), { minItems: 2, maxItems: 2 }), { maxItems: 10_000 }),
  strings,
  structure: Type.Object({
    alternativeBpm: Type.Union([Type.Null(), finite(1, 1000)]),
    metre: Type.Union([Type.Null(), ...METRES.map((metre) => Type.Literal(metre))]),
    metreConfidence: finite(0, 1),
    downbeats: Type.Array(finite(0, 1e6), { maxItems: 200_000 }),
    swing: Type.Union([Type.Null(), finite(0, 1)]),
    sections: Type.Array(
      Type.Object({
        kind: Type.Union(SECTION_KINDS.map((kind) => Type.Literal(kind))),
        startSec: finite(0, 1e6),
        endSec: finite(0, 1e6),
        levelDb: finite(-400, 400),
      }),
      { maxItems: 10_000 },
    ),
  }),
  supplied: anything,
  thanks: Type.Object({ new: Sentence, shortlisted: Sentence, passed: Sentence, kept: Sentence }),
  timedLines: Type.Array(
    Type.Object({
      text: Type.String({ maxLength: MAX_LYRICS, pattern: "^[^\\n\\r]*$" }),
      atMs: Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: MAX_LYRIC_MS })]),
    }),
    { maxItems: MAX_LYRIC_LINES },
  ),
  verdicts: Type.Array(Type.Object({ tagId: Text, name: Text, verdict: Text, source: Text }), {
    maxItems: 10_000,
  }),
  // Older programs wrote other forms: `left-out.ts` drops those that are no longer valid.
  interpretation: anything,
  searchRequest: anything,
} as const satisfies Partial<Record<Special, TSchema>>;

/** Checks of texts that are no JSON. */
const TEXTS: Readonly<Record<Exclude<Special, keyof typeof FORMS>, (text: string) => boolean>> = {
  // As it is stored and compared, or it would not be found to be taken.
  address: (text) => isEmail(text) && text === normaliseEmail(text),
  colour: (text) => readColour(text) === text,
  email: isEmail,
  mediaType: isMediaType,
  passwordHash: isPasswordHash,
  webAddress: (text) => isAddress(text),
  webhookAddress: (text) => isAddress(text),
  website: isWebsite,
};

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text);
}

/** True when a text is what its column is for. */
export function isSpecial(as: Special, text: string): boolean {
  if (!(as in FORMS)) return TEXTS[as as keyof typeof TEXTS](text);
  const value = readJson(text);
  return value !== undefined && Value.Check(FORMS[as as keyof typeof FORMS], value);
}

/** Returns a JSON value; undefined for anything else, and for JSON that is too long or too deep. */
export function readJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) > MAX_JSON_DEPTH ? undefined : value;
  } catch {
    return undefined;
  }
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  for (; level.length > 0 && depth <= MAX_JSON_DEPTH; depth++)
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  return depth;
}

/** True for a hash that costs no more to check than one of ours does: its writer chooses the cost. */
function isPasswordHash(text: string): boolean {
  const [, memory, time, lanes] =
    /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$[\w+/]{11,86}\$[\w+/]{16,86}$/.exec(text) ?? [];
  return Number(memory) <= 65_536 && Number(time) <= 4 && Number(lanes) === 1;
}

function isAddress(text: string): boolean {
  if (text.length > 8192 || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  return /^https?:$/.test(new URL(text).protocol);
}

/** True for the address of an owner's website, as the owner may set it. */
function isWebsite(text: string): boolean {
  try {
    return readBrand({ website: text }).website === text;
  } catch {
    return false;
  }
}

const MEANINGS: Readonly<Record<BytesAs, (bytes: Uint8Array) => boolean>> = {
  float32: (bytes) =>
    bytes.length % FLOAT32_BYTES === 0 && new Float32Array(copyOf(bytes)).every(Number.isFinite),
  float64: (bytes) =>
    bytes.length % FLOAT64_BYTES === 0 && new Float64Array(copyOf(bytes)).every(Number.isFinite),
  uint32: (bytes) => bytes.length % FLOAT32_BYTES === 0,
  pairs: (bytes) => bytes.length % 2 === 0,
  deflated: (bytes) => inflatedLength(bytes) !== undefined,
  deflatedPairs: (bytes) => (inflatedLength(bytes) ?? 1) % 2 === 0,
};

/** True when bytes can be read as what their column is for. */
export const isReadable = (as: BytesAs, bytes: Uint8Array): boolean => MEANINGS[as](bytes);

const copyOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

function inflatedLength(bytes: Uint8Array): number | undefined {
  try {
    // Not imported: a server that starts would load Node's streams with it.
    const { inflateRawSync } = process.getBuiltinModule("node:zlib");
    return inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES }).length;
  } catch {
    return undefined;
  }
}
