import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { AVAILABLE_AS } from "../../../kernel/available-as.ts";
import { FACT_ORDERS } from "../../../kernel/facts.ts";
import { ORDERED_FIELDS } from "../../../kernel/measures.ts";
import { StoredFact } from "./fact-shapes.ts";
import { SearchHit } from "./hit-shapes.ts";
import { Move } from "./move-shapes.ts";
import { AskedPassage, SaidPassage, SaidReference } from "./reference/said-shapes.ts";

export { SearchHit };

/** Characters of a brief in words. */
export const MAX_QUERY = 2000;
/** The most results of one search, tracks to steer toward, and tracks to leave out. */
export const MAX_RESULTS = 50;
export const MAX_SEEDS = 50;
export const MAX_LEFT_OUT = 200;
/** Characters of a suggested name, which a playlist can have. */
export const MAX_SUGGESTED_NAME = 120;
const MAX_KEY = 40;
const MAX_LANGUAGE = 60;

/** An array, not a tuple: TypeBox cuts a tuple to its length when it cleans a value, which is before the check. */
const Bounds = (description: string) =>
  Type.Unsafe<[number, number]>(
    Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2, description }),
  );

const Available = Type.Union(AVAILABLE_AS.map((name) => Type.Literal(name)));

const Constraints = shape(
  "SearchConstraints",
  {
    bpmRange: Type.Optional(Bounds("Lowest and highest BPM, inclusive; either reading of a tempo counts")),
    durationRange: Type.Optional(Bounds("Shortest and longest duration in seconds, inclusive")),
    hasVocals: Type.Optional(Type.Boolean()),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_KEY,
        description: "`F# minor`, `Gbm`, `11A`; without a mode both match",
      }),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_LANGUAGE,
        description: "Language of the lyrics: ISO 639-1 code or English name",
      }),
    ),
    availableAs: Type.Optional(
      Type.Array(Available, {
        maxItems: AVAILABLE_AS.length,
        description: "What the track, or a member of its family, must be, each of it",
      }),
    ),
    editSec: Type.Optional(
      Bounds("Shortest and longest length in seconds of an edit that the family must have, inclusive"),
    ),
  },
  { description: "Hard filters: a track whose value is unknown does not pass" },
);
export type SearchConstraints = Static<typeof Constraints>;

/** Body of `POST /tracks/search`. */
export const SearchRequest = shape("SearchRequest", {
  query: Type.String({
    minLength: 1,
    maxLength: MAX_QUERY,
    description: "Prose; a hint for the ranking, never a filter",
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RESULTS, default: 20 })),
  constraints: Type.Optional(Constraints),
  seedTrackIds: Type.Optional(
    Type.Array(Type.String(), { maxItems: MAX_SEEDS, description: "Steer toward these tracks" }),
  ),
  excludeTrackIds: Type.Optional(
    Type.Array(Type.String(), { maxItems: MAX_LEFT_OUT, description: "Tracks to leave out of the results" }),
  ),
  passage: Type.Optional(AskedPassage),
  onePerFamily: Type.Optional(
    Type.Boolean({ default: false, description: "One result per family: the member that fits best" }),
  ),
});
export type SearchRequest = Static<typeof SearchRequest>;

const Names = Type.Array(Type.String());
const Range = nullable(Type.Tuple([Type.Number(), Type.Number()]));
const Unit = nullable(Type.Number({ minimum: 0, maximum: 1 }));

/** The order is that of the kinds in a sentence where nothing else decides. */
const WISH_KINDS = [
  "genre",
  "mood",
  "instrument",
  "vocals",
  "tempo",
  "key",
  "length",
  "language",
  "era",
  "energy",
  "theme",
  "reference",
  "order",
  "filter",
  "available",
  "lyrics",
] as const;
export type WishKind = (typeof WISH_KINDS)[number];

const ORDERED_BY = ["createdAt" as const, ...ORDERED_FIELDS, ...FACT_ORDERS];

const Said = shape("SearchSaid", {
  kind: Type.Union(WISH_KINDS.map((kind) => Type.Literal(kind))),
  value: Type.String({ description: "In words: `Dark`, `120-130 BPM`, `F# minor`" }),
  ruledOut: Type.Boolean(),
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'How much it counts; 1 after "must have"' }),
  known: Type.Boolean({ description: "False for an artist that neither the library nor the product knows" }),
  spans: Type.Array(Type.Object({ start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }) }), {
    description: "Where the query says it: offsets in UTF-16 units, the end exclusive",
  }),
});
export type Said = Static<typeof Said>;

/** How the prose was read (decision 2.18). When `briefParsed` is false, all other fields are null or empty. */
export const WireInterpretation = shape("Interpretation", {
  briefParsed: Type.Boolean(),
  summary: Type.String(),
  referenceArtist: nullable(Type.String()),
  genres: Names,
  moods: Names,
  instruments: Names,
  vocals: Names,
  types: Names,
  tempos: Names,
  eras: Names,
  characters: Names,
  movements: Names,
  lyricThemes: Names,
  excluded: Type.Record(Type.String(), Names, { description: "What the prose rules out, by category" }),
  references: Type.Array(Type.Object({ name: Type.String(), resolved: Type.Boolean() }), {
    description:
      "Artists that the prose names; `resolved` when the library or the built-in list knows the name",
  }),
  seeds: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal("track"), Type.Literal("artist")]),
        name: Type.String({ description: "As the library spells it" }),
        trackIds: Names,
      }),
      {
        description: "The library's own tracks and artists that the prose names; they are not in the results",
      },
    ),
  ),
  moves: Type.Optional(
    Type.Array(Move, { description: "How the wish differs from the seeds: slower, darker, in another key" }),
  ),
  bpmRange: Range,
  durationRange: Range,
  key: nullable(Type.String()),
  keyMode: nullable(Type.Union([Type.Literal("major"), Type.Literal("minor")])),
  vocalPreference: nullable(Type.Union([Type.Literal("vocal"), Type.Literal("instrumental")])),
  language: nullable(Type.String()),
  energy: Unit,
  valence: Unit,
  said: Type.Optional(
    Type.Array(Said, {
      description:
        "The pieces of the query that were understood, in its order; absent in searches made before it",
    }),
  ),
  words: Type.Optional(
    Type.Array(Type.String(), {
      description: "The other words of the query: they are looked for in names, people, lyrics and notes",
    }),
  ),
  notUnderstood: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Words of the query, as written, that say nothing to the reader of briefs and that no name or text of the library has",
    }),
  ),
  unasked: Type.Optional(
    Type.Array(Type.String(), {
      description: "Why search cannot look at parts of the query: sentences",
    }),
  ),
  ordering: Type.Optional(
    nullable(
      Type.Object(
        {
          by: Type.Union(ORDERED_BY.map((name) => Type.Literal(name))),
          direction: Type.Union([Type.Literal("asc"), Type.Literal("desc")]),
          after: Type.Optional(
            Type.String({ description: "Only what happened since then counts, a timestamp" }),
          ),
          before: Type.Optional(
            Type.String({ description: "Only what happened before then counts, a timestamp" }),
          ),
          who: Type.Optional(Type.String({ description: "Only what this person did counts" })),
        },
        { description: "The order that the prose asks for; null: best first" },
      ),
    ),
  ),
  filters: Type.Optional(
    Type.Object(
      {
        createdAfter: Type.Optional(Type.String({ description: "The first moment, a timestamp" })),
        createdBefore: Type.Optional(
          Type.String({ description: "The moment after the last one, a timestamp" }),
        ),
        tagged: Type.Optional(Type.Boolean()),
        played: Type.Optional(Type.Boolean()),
        minVersions: Type.Optional(Type.Integer()),
        availableAs: Type.Optional(
          Type.Array(Available, { description: "What the song must also be there as" }),
        ),
        editSec: Type.Optional(
          Type.Array(Type.Integer(), {
            description: "Shortest and longest length in seconds, a pair for each edit",
          }),
        ),
        facts: Type.Optional(
          Type.Array(StoredFact, { description: "Covers, plays, links, comments and what else is stored" }),
        ),
      },
      {
        description:
          "What the prose says about uploads, tags, plays and what must be available: only such tracks are results",
      },
    ),
  ),
  appliedConstraints: Type.Partial(Constraints, { description: "The constraints that filtered" }),
  appliedTuning: Type.Object(
    {
      seedTrackIds: Type.Optional(Names),
      excludeTrackIds: Type.Optional(Names),
      referenceArtist: Type.Optional(Type.String()),
      reference: Type.Optional(SaidReference),
      passage: Type.Optional(SaidPassage),
      taxonomy: Type.Optional(Type.String({ description: "Version of the tags" })),
      ranking: Type.Optional(Type.String({ description: "Version of the ranking" })),
      vectors: Type.Optional(
        Type.Array(Type.String(), { description: "Versions of the vectors that compare sound" }),
      ),
      weights: Type.Optional(
        Type.Record(Type.String(), Type.Number(), {
          description: "The share of each kind of evidence in a score",
        }),
      ),
      parser: Type.Optional(
        Type.Object(
          {
            name: Type.Union([Type.Literal("rules"), Type.Literal("rules+model")]),
            model: Type.String(),
            added: Type.Optional(Type.Integer({ description: "Tags that only the model found" })),
            dropped: Type.Optional(Type.Integer({ description: "Names from the model that were not used" })),
            fallback: Type.Optional(
              Type.String({
                description:
                  "Why the model's reading was not used: unavailable, timeout, refused, invalid_answer, paused",
              }),
            ),
          },
          { description: "How the brief was read; present only if a language model is set up" },
        ),
      ),
      tracks: Type.Optional(Type.Integer({ description: "Analysed tracks of the account" })),
      considered: Type.Optional(Type.Integer({ description: "Those of them that met every constraint" })),
      removed: Type.Optional(
        Type.Record(Type.String(), Type.Integer(), {
          description: "How many tracks each constraint, and each filter of the prose, excludes by itself",
        }),
      ),
    },
    { description: "What steered the ranking besides the prose" },
  ),
});
export type WireInterpretation = Static<typeof WireInterpretation>;

/** Payload of `POST /tracks/search`. */
export const SearchResult = shape("SearchResult", {
  query: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  results: Type.Array(SearchHit, { description: "Best first" }),
  interpretation: WireInterpretation,
  suggestedName: Type.String({
    maxLength: MAX_SUGGESTED_NAME,
    description: "A playlist title for these results",
  }),
  searchId: Type.String({ description: "The entry in the search history" }),
});
export type SearchResult = Static<typeof SearchResult>;
