import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import {
  countComposers,
  createComposer,
  deleteComposer,
  findComposer,
  listComposers,
  updateComposer,
} from "./service.ts";
import {
  Composer,
  ComposerCount,
  ComposerQuery,
  CreateComposer,
  Deleted,
  ListComposersQuery,
  SingleComposer,
  UpdateComposer,
  UpdatedComposer,
} from "./shapes.ts";

const tag = "Composers";

/** The people who have a part in tracks. */
export const composerOperations = [
  op({
    at: "GET /composers",
    id: "listComposers",
    key: "read:composers",
    input: { query: ListComposersQuery },
    tag,
    summary: "List composers, newest first",
    description: "Up to 100 per page, each with the tracks they have a share in.",
    answer: Type.Array(Composer),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listComposers(deps, actor.accountId, query.cursor),
  }),
  op({
    at: "GET /composers/count",
    id: "countComposers",
    key: "read:composers",
    tag,
    summary: "Count composers",
    answer: ComposerCount,
    refusals: [],
    run: (deps, { actor }) => countComposers(deps, actor.accountId),
  }),
  op({
    at: "GET /composers/single",
    id: "getComposer",
    key: "read:composer",
    input: { query: ComposerQuery },
    tag,
    summary: "Get a composer",
    description: "`composer` is null when it does not exist or belongs to another account.",
    answer: SingleComposer,
    refusals: [],
    run: (deps, { actor, query }) => findComposer(deps, actor.accountId, query.id),
  }),
  op({
    at: "POST /composers",
    id: "createComposer",
    key: "create:composer",
    input: { body: CreateComposer },
    tag,
    summary: "Add a composer",
    answer: Composer,
    refusals: ["duplicate_email"],
    run: (deps, { actor, body }) => createComposer(deps, actor.accountId, body),
  }),
  op({
    at: "PATCH /composers",
    id: "updateComposer",
    key: "update:composer",
    input: { body: UpdateComposer },
    tag,
    summary: "Change a composer",
    description:
      "Only the fields you send change; null clears a field. The answer holds the fields you sent, as stored.",
    answer: UpdatedComposer,
    refusals: ["composer_not_found", "duplicate_email"],
    run: (deps, { actor, body }) => updateComposer(deps, actor.accountId, body),
  }),
  op({
    at: "DELETE /composers",
    id: "deleteComposer",
    key: "delete:composer",
    input: { query: ComposerQuery },
    tag,
    summary: "Delete a composer for good",
    description: "Also deletes the composer's links to tracks.",
    answer: Deleted,
    refusals: ["composer_not_found"],
    run: (deps, { actor, query }) => deleteComposer(deps, actor.accountId, query.id),
  }),
];
