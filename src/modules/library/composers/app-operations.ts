import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import {
  AppComposer,
  ComposerParams,
  ComposerRow,
  CreateAppComposer,
  Split,
  UpdateAppComposer,
} from "./app-shapes.ts";
import {
  createAppComposer,
  getAppComposer,
  listAppComposers,
  listSplits,
  updateAppComposer,
} from "./service.ts";

const tag = "Composers";

/** Composers with their rights data checked, and the splits that do not add up. */
export const composerRightsOperations = [
  op({
    at: "GET /composers",
    id: "listAppComposers",
    session: true,
    input: { query: PageQuery },
    tag,
    summary: "List composers with what is missing in their rights data, newest first",
    answer: Type.Array(ComposerRow),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listAppComposers(deps, actor.accountId, query),
  }),
  op({
    at: "POST /composers",
    id: "createAppComposer",
    session: true,
    input: { body: CreateAppComposer },
    tag,
    summary: "Add a composer, whose address may be unknown",
    answer: AppComposer,
    refusals: ["duplicate_email"],
    run: (deps, { actor, body }) => createAppComposer(deps, actor.accountId, body),
  }),
  op({
    at: "GET /composers/:id",
    id: "getAppComposer",
    session: true,
    input: { params: ComposerParams },
    tag,
    summary: "Get a composer with their tracks and shares",
    answer: AppComposer,
    refusals: ["composer_not_found"],
    run: (deps, { actor, params }) => getAppComposer(deps, actor.accountId, params.id),
  }),
  op({
    at: "PATCH /composers/:id",
    id: "updateAppComposer",
    session: true,
    input: { params: ComposerParams, body: UpdateAppComposer },
    tag,
    summary: "Change a composer; null clears a field",
    answer: AppComposer,
    refusals: ["composer_not_found", "duplicate_email"],
    run: (deps, { actor, params, body }) => updateAppComposer(deps, actor.accountId, params.id, body),
  }),
  op({
    at: "GET /splits",
    id: "listSplits",
    session: true,
    tag,
    summary: "List the tracks whose shares do not add up to 100 per cent",
    answer: Type.Array(Split, { maxItems: 500 }),
    refusals: [],
    run: (deps, { actor }) => listSplits(deps, actor.accountId),
  }),
];
