import { op } from "../../../http/operation.ts";
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

/** Reports across accounts for keys that the operator issues. Personal data, read-only. */
export const platformOperations = [
  op({
    at: "GET /platform/file-requests",
    id: "listFileRequests",
    key: "platform:read:file-requests",
    input: { query: FileRequestsQuery },
    tag,
    summary: "List the file requests of all accounts",
    description: "Briefs whose public submission page is on, or once was.",
    answer: FileRequestPage,
    refusals: [],
    run: (deps, { query }) => listFileRequests(deps, query),
  }),
  op({
    at: "GET /platform/file-requests/:id/submissions",
    id: "listFileRequestSubmissions",
    key: "platform:read:file-requests",
    input: { params: FileRequestParams, query: SubmissionsQuery },
    tag,
    summary: "List the submissions to a file request",
    description: "Items sent together count as one submission.",
    answer: SubmissionPage,
    refusals: ["file_request_not_found"],
    run: (deps, { params, query }) => listSubmissions(deps, params.id, query),
  }),
  op({
    at: "GET /platform/accounts",
    id: "listAccounts",
    key: "platform:read:accounts",
    input: { query: AccountsQuery },
    tag,
    summary: "List all accounts",
    answer: AccountPage,
    refusals: [],
    run: (deps, { query }) => listAccounts(deps, query),
  }),
];
