import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { editTags } from "./edit.ts";
import { TagEditParams, TagEdits, TagsEdited } from "./edit-shapes.ts";
import { listTaxonomy, patchTags, TAXONOMY_VERSION } from "./service.ts";
import { Taxonomy, TaxonomyQuery, TrackTags, TrackTagsBody, TrackTagsQuery } from "./shapes.ts";

const tag = "Tags";

/** Reading the tag vocabulary, and writing a track's tags. */
export const tagOperations = [
  op({
    at: "GET /taxonomy",
    id: "getTaxonomy",
    key: "read:tracks",
    input: { query: TaxonomyQuery },
    tag,
    summary: "Get the tag taxonomy",
    description: "Tag writes use the `name` values, except `tempos`, which follow from the BPM.",
    answer: Taxonomy,
    siblings: { version: Type.String({ description: "Changes with the taxonomy" }) },
    refusals: [],
    run: (_, { query }) => ({ items: listTaxonomy(query), version: TAXONOMY_VERSION }),
  }),
  op({
    at: "PATCH /tracks/tags",
    id: "updateTrackTags",
    key: "update:tracks",
    input: { query: TrackTagsQuery, body: TrackTagsBody },
    tag,
    summary: "Write a track's tags",
    description:
      "Each category sent replaces that category; `[]` clears it. With `mode`, its tags are added to the category or " +
      "removed from it instead. If any name is not in the taxonomy, the " +
      "whole request is refused: `data.unknown` lists the unknown names, `data.nearest` three tags for each.",
    answer: TrackTags,
    refusals: ["track_not_found"],
    run: (deps, { actor, query, body }) => patchTags(deps, actor.accountId, query.id, body),
  }),
  op({
    at: "POST /tracks/:trackId/tags",
    id: "editTrackTags",
    session: "update:tracks",
    input: { params: TagEditParams, body: TagEdits },
    tag,
    summary: "Add, remove and reject single tags of a track",
    description: "Says nothing about suggestions that it does not name.",
    answer: TagsEdited,
    refusals: ["track_not_found"],
    run: (deps, { actor, params, body }) => editTags(deps, actor.accountId, params.trackId, body.edits),
  }),
];
