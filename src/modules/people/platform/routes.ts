import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listAccounts, listFileRequests, listSubmissions } from "./service.ts";
import {
  AccountPage,
  AccountsQuery,
  FileRequestPage,
  FileRequestParams,
  FileRequestsQuery,
  SubmissionPage,
  SubmissionsQuery,
} from "./shapes.ts";

const tag = "Platform";

/** `/platform`: reports across accounts for keys that the operator issues. Personal data, read-only. */
export const platformRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/platform" })
    .use(guard)
    .get("/file-requests", ({ query }) => ok(listFileRequests(deps, query)), {
      platformScope: "platform:read:file-requests",
      query: FileRequestsQuery,
      detail: describe({
        operationId: "listFileRequests",
        tag,
        summary: "List the file requests of all accounts",
        description: "Briefs whose public submission page is on, or once was.",
        answer: FileRequestPage,
        refusals: [],
      }),
    })
    .get(
      "/file-requests/:id/submissions",
      ({ params, query }) => ok(listSubmissions(deps, params.id, query)),
      {
        platformScope: "platform:read:file-requests",
        params: FileRequestParams,
        query: SubmissionsQuery,
        detail: describe({
          operationId: "listFileRequestSubmissions",
          tag,
          summary: "List the submissions to a file request",
          description: "Items sent together count as one submission.",
          answer: SubmissionPage,
          refusals: ["file_request_not_found"],
        }),
      },
    )
    .get("/accounts", ({ query }) => ok(listAccounts(deps, query)), {
      platformScope: "platform:read:accounts",
      query: AccountsQuery,
      detail: describe({
        operationId: "listAccounts",
        tag,
        summary: "List all accounts",
        answer: AccountPage,
        refusals: [],
      }),
    });
