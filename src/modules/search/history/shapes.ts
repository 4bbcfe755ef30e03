import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { SearchRequest, WireInterpretation } from "../search/shapes.ts";

export const SearchesQuery = Type.Object({
  ...pageFields,
  who: Type.Optional(
    Type.Union([Type.Literal("me"), Type.Literal("everyone")], {
      description:
        "Whose searches: `everyone` is for the owner, and the owner's default; others have their own",
    }),
  ),
});
export type SearchesQuery = Static<typeof SearchesQuery>;

export const SearchParams = Type.Object({ searchId: Type.String() });

const listed = {
  id: Type.String({ description: "The `searchId` from the search's answer" }),
  query: Type.String(),
  resultCount: Type.Integer({ minimum: 0, description: "How many tracks the search found" }),
  creditsCharged: Type.Integer({ minimum: 0 }),
  keyId: nullable(Type.String({ description: "The API key that searched" })),
  createdAt: Timestamp,
  madeBy: described(MadeBy, "Who searched; null: with a key of no member"),
  hasFile: Type.Optional(
    Type.Literal(true, { description: "The search was by a file or an address, which was not kept" }),
  ),
};

/** A search in the list of the history. */
export const SearchEntry = shape("SearchEntry", listed);
export type SearchEntry = Static<typeof SearchEntry>;

const FoundTrack = shape("FoundTrack", {
  id: Type.String(),
  title: Type.String(),
  artist: nullable(Type.String()),
  durationSec: nullable(Type.Number()),
  bpm: nullable(Type.Number()),
  key: nullable(Type.String()),
});
export type FoundTrack = Static<typeof FoundTrack>;

/** A search of the history with its request, how it was read and what it found. */
export const SearchDetail = shape("SearchDetail", {
  ...listed,
  request: Type.Omit(SearchRequest, ["query"], { description: "The parameters sent with the query" }),
  interpretation: WireInterpretation,
  results: Type.Array(FoundTrack, {
    description: "Best first, as the tracks are now; deleted tracks are left out",
  }),
});
export type SearchDetail = Static<typeof SearchDetail>;

export const Credits = shape("Credits", {
  credits: nullable(Type.Integer({ minimum: 0, description: "Null: unlimited" })),
  unlimited: Type.Boolean(),
  searches: Type.Integer({ minimum: 0, description: "Searches that succeeded, whether charged or not" }),
  charged: Type.Integer({ minimum: 0, description: "Credits charged for them" }),
});
export type Credits = Static<typeof Credits>;
