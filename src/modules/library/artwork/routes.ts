import { Type } from "@sinclair/typebox";
import { sendPicture } from "../../../http/files/picture.ts";
import { describe } from "../../../http/openapi.ts";
import { route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getArtwork } from "./service.ts";

const ArtworkQuery = Type.Object({
  size: Type.Union([Type.Literal("picture"), Type.Literal("thumbnail")], {
    default: "picture",
    description: "At most 1600 pixels per side, or at most 400",
  }),
});

const described = describe({
  operationId: "getArtwork",
  tag: "Tracks",
  summary: "Get a cover picture",
  description: "Public: anyone with the address can see it. The picture behind a key never changes.",
  answer: Type.Any(),
  bare: true,
  refusals: ["not_found"],
});
const image = { "image/*": { schema: { type: "string", format: "binary" } } } as const;

/** Other sites may show it. Another picture has another address. */
const FOR_ALL = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "cross-origin",
};

/** `GET|HEAD /artwork/{key}`. */
export const artworkRoutes = (deps: Deps) => [
  route({
    at: "GET /artwork/:key",
    query: ArtworkQuery,
    detail: {
      ...described,
      responses: {
        ...described.responses,
        200: { description: "The picture", content: image },
        304: { description: "The client has it already" },
      },
    },
    run: ({ params, query, request }) =>
      sendPicture(request, getArtwork(deps, params.key, query.size), `${params.key}/${query.size}`, FOR_ALL),
  }),
];
