import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import type { Deps } from "../../kernel/deps.ts";
import { Taxonomy } from "./model.ts";
import { listTaxonomy } from "./service.ts";

/** The vocabulary that tags are written with. */
export const tagRoutes = (_: Deps, guard: Guards) =>
  new Elysia({ prefix: "/taxonomy" }).use(guard).get("", () => ok(listTaxonomy()), {
    scope: "read:tracks",
    detail: describe({
      operationId: "getTaxonomy",
      tag: "Tags",
      summary: "Get the tag taxonomy",
      description: "Tag writes use the `name` values, except `tempos`, which follow from the BPM.",
      answer: Taxonomy,
      refusals: [],
    }),
  });
