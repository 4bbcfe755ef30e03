import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { accentCss, changeBrand, getBrand, isSeen, readColour, setLogo } from "./service.ts";
import { AccentParams, Brand, ChangeBrand, SetLogo } from "./shapes.ts";

const tag = "Sign-in";

/** What the account's pages show instead of our name and mark. */
export const brandOperations = [
  op({
    at: "GET /account/brand",
    id: "getBrand",
    session: "member",
    tag,
    summary: "Get your brand",
    answer: Brand,
    refusals: [],
    run: (deps, { actor }) => getBrand(deps, actor.accountId),
  }),
  op({
    at: "PATCH /account/brand",
    id: "changeBrand",
    session: "manage:library",
    input: { body: ChangeBrand },
    tag,
    summary: "Change the name, colour or website that your pages show",
    answer: Brand,
    refusals: [],
    run: (deps, { actor, body }) => changeBrand(deps, actor.accountId, body),
  }),
  op({
    at: "PUT /account/logo",
    id: "setLogo",
    session: "manage:library",
    input: { body: SetLogo },
    tag,
    summary: "Set the logo that your pages show",
    answer: Brand,
    refusals: ["invalid_image_type", "insufficient_storage"],
    run: (deps, { actor, body, request }) => setLogo(deps, actor.accountId, body.image, request.signal),
  }),
  op({
    at: "DELETE /account/logo",
    id: "removeLogo",
    session: "manage:library",
    tag,
    summary: "Remove your logo",
    answer: Brand,
    refusals: [],
    run: (deps, { actor, request }) => setLogo(deps, actor.accountId, null, request.signal),
  }),
  op({
    at: "GET /brand/:file",
    id: "getAccent",
    input: { params: AccentParams },
    tag: "Service",
    summary: "Get the style sheet of an accent colour",
    description: "Public. It colours the pages of accounts that have a brand.",
    answer: Type.String(),
    isBare: true,
    sends: { contentType: "text/css", description: "The style sheet" },
    refusals: ["not_found"],
    run: (_, { params }) => accentSheet(params.file),
  }),
];

/**
 * Returns `{colour}.css`: an accent for a page, which may have no styles of its own. What a name stands for never changes.
 */
function accentSheet(file: string): Response {
  const accent = readColour(/^([0-9a-f]{6})\.css$/.exec(file)?.[1] ?? "");
  if (accent === undefined || !isSeen(accent))
    throw new DomainError("not_found", "There is nothing at this address");
  return new Response(accentCss(accent), {
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    },
  });
}
