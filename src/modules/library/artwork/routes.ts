import { Type } from "@sinclair/typebox";
import { isUnchanged } from "../../../http/files/range.ts";
import { describe } from "../../../http/openapi.ts";
import { route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type ArtworkFile, getArtwork } from "./service.ts";

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
      pictureResponse(request, `${params.key}/${query.size}`, getArtwork(deps, params.key, query.size)),
  }),
];

function pictureResponse(request: Request, name: string, file: ArtworkFile): Response {
  const etag = `"${name}"`;
  const headers = new Headers({
    "content-type": file.mediaType,
    etag,
    "last-modified": new Date(file.lastModifiedAt).toUTCString(),
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    // Opened directly, it is only ever a picture; other sites may show it.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
  });
  if (isUnchanged(request.headers, { etag, lastModifiedAt: file.lastModifiedAt }))
    return new Response(null, { status: 304, headers });
  headers.set("content-length", String(file.sizeBytes));
  return new Response(Bun.file(file.path), { headers });
}
