import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listTaxonomy, patchTags, TAXONOMY_VERSION } from "./service.ts";
import { Taxonomy, TaxonomyQuery, TrackTags, TrackTagsBody, TrackTagsQuery } from "./shapes.ts";

const tag = "Tags";

/** Reading the tag vocabulary, and writing a track's tags. */
export const tagRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get("/taxonomy", ({ query }) => ok(listTaxonomy(query), { version: TAXONOMY_VERSION }), {
      scope: "read:tracks",
      query: TaxonomyQuery,
      detail: describe({
        operationId: "getTaxonomy",
        tag,
        summary: "Get the tag taxonomy",
        description: "Tag writes use the `name` values, except `tempos`, which follow from the BPM.",
        answer: Taxonomy,
        siblings: { version: Type.String({ description: "Changes with the taxonomy" }) },
        refusals: [],
      }),
    })
    .patch(
      "/tracks/tags",
      async ({ actor, query, body }) => ok(await patchTags(deps, actor.accountId, query.id, body)),
      {
        scope: "update:tracks",
        query: TrackTagsQuery,
        body: TrackTagsBody,
        detail: describe({
          operationId: "updateTrackTags",
          tag,
          summary: "Write a track's tags",
          description:
            "Each category sent replaces that category; `[]` clears it. With `mode`, its tags are added to the category or " +
            "removed from it instead. If any name is not in the taxonomy, the " +
            "whole request is refused: `data.unknown` lists the unknown names, `data.nearest` three tags for each.",
          answer: TrackTags,
          refusals: ["track_not_found"],
        }),
      },
    );
