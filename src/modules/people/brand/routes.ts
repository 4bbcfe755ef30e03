import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { accentCss, changeBrand, getBrand, isSeen, readColour, setLogo } from "./service.ts";
import { Brand, ChangeBrand, SetLogo } from "./shapes.ts";

const tag = "App";

/** `/app/account/brand` and `/app/account/logo`: what the account's pages show in the place of our name and mark. */
export const brandRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/account" })
    .use(guard)
    .get("/brand", ({ actor }) => ok(getBrand(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "getBrand",
        tag,
        summary: "Get your brand",
        answer: Brand,
        refusals: [],
      }),
    })
    .patch("/brand", ({ actor, body }) => ok(changeBrand(deps, actor.accountId, body)), {
      session: true,
      body: ChangeBrand,
      detail: describe({
        operationId: "changeBrand",
        tag,
        summary: "Change the name, colour or website that your pages show",
        answer: Brand,
        refusals: [],
      }),
    })
    .put(
      "/logo",
      async ({ actor, body, request }) =>
        ok(await setLogo(deps, actor.accountId, body.image, request.signal)),
      {
        session: true,
        body: SetLogo,
        detail: describe({
          operationId: "setLogo",
          tag,
          summary: "Set the logo that your pages show",
          answer: Brand,
          refusals: ["invalid_image_type", "insufficient_storage"],
        }),
      },
    )
    .delete(
      "/logo",
      async ({ actor, request }) => ok(await setLogo(deps, actor.accountId, null, request.signal)),
      {
        session: true,
        detail: describe({
          operationId: "removeLogo",
          tag,
          summary: "Take your logo away",
          answer: Brand,
          refusals: [],
        }),
      },
    );

/**
 * `GET|HEAD /brand/{colour}.css`: an accent for a page, which may have no styles of its own. What a name stands for never
 * changes.
 */
export const accentRoutes = () =>
  new Elysia().get(
    "/brand/:file",
    ({ params }) => {
      const accent = readColour(/^([0-9a-f]{6})\.css$/.exec(params.file)?.[1] ?? "");
      if (accent === undefined || !isSeen(accent))
        throw new DomainError("not_found", "There is nothing at this address");
      return new Response(accentCss(accent), {
        headers: {
          "content-type": "text/css; charset=utf-8",
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
        },
      });
    },
    { params: t.Object({ file: t.String() }), detail: accentDetail() },
  );

function accentDetail() {
  const described = describe({
    operationId: "getAccent",
    tag: "Service",
    summary: "Get the style sheet of an accent",
    description: "Public. It colours the pages of accounts that have a brand.",
    answer: Type.Any(),
    bare: true,
    refusals: ["not_found"],
  });
  const content = { "text/css": { schema: { type: "string" } } } as const;
  return {
    ...described,
    security: [],
    responses: { ...described.responses, 200: { description: "The style sheet", content } },
  };
}
