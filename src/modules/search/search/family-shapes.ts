import { Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";
import { SearchHit } from "./hit-shapes.ts";
import { SearchRequest } from "./shapes.ts";

export const FamilySearchParams = Type.Object({ trackId: Type.String() });

/** Query of `GET /tracks/{trackId}/family/search`. */
export const FamilySearch = Type.Object({ query: SearchRequest.properties.query });

/** Payload of `GET /tracks/{trackId}/family/search`. */
export const FamilyFound = shape("FamilyFound", {
  results: Type.Array(SearchHit, { description: "Best first, without the track itself" }),
});
