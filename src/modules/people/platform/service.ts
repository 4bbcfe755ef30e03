import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { parseBound, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { readPage, toPage } from "./paging.ts";
import * as queries from "./queries.ts";
import {
  type Account,
  type AccountsQuery,
  type FileRequest,
  type FileRequestsQuery,
  MAX_ACCOUNTS,
  MAX_FILE_REQUESTS,
  MAX_SUBMISSIONS,
  type Page,
  type SubmissionPage,
  type SubmissionsQuery,
} from "./shapes.ts";

type PlatformDeps = Pick<Deps, "db" | "now">;

/** Returns the file requests of every account: briefs whose public page is on, or once was (decision 4.52). */
export function listFileRequests({ db, now }: PlatformDeps, query: FileRequestsQuery): Page<FileRequest> {
  const filter = { at: now(), active: readActive(query.active) };
  const total = queries.countFileRequests(db, filter);
  return toPage(readPage(query, MAX_FILE_REQUESTS), total, (limit, offset) =>
    queries.selectFileRequests(db, { ...filter, limit, offset }).map(toFileRequest),
  );
}

/**
 * Returns the submissions to a file request, newest first. Items sent together count as one submission.
 *
 * @throws DomainError `file_request_not_found`, also for a brief that never had a public page.
 */
export function listSubmissions(
  { db, now }: PlatformDeps,
  briefId: string,
  query: SubmissionsQuery,
): SubmissionPage {
  const request = queries.findFileRequest(db, briefId, now());
  if (!request) throw new DomainError("file_request_not_found", "There is no such file request");
  const total = queries.countSubmissions(db, briefId);
  const page = toPage(readPage(query, MAX_SUBMISSIONS), total, (limit, offset) =>
    queries
      .selectSubmissions(db, { briefId, limit, offset })
      .map((row) => ({ ...row, submittedAt: toIso(row.submittedAt) })),
  );
  return { ...page, requestId: briefId, active: request.active === 1 };
}

/** Returns every account, newest first, with where it came from. */
export function listAccounts({ db }: Pick<Deps, "db">, query: AccountsQuery): Page<Account> {
  const createdFrom = (query.createdAfter && parseBound(query.createdAfter, "first")) || 0;
  const total = queries.countAccounts(db, createdFrom);
  return toPage(readPage(query, MAX_ACCOUNTS), total, (limit, offset) =>
    queries.selectAccounts(db, { createdFrom, limit, offset }).map(toAccount),
  );
}

function toAccount(row: queries.AccountRow): Account {
  return { ...row, createdAt: toIso(row.createdAt), active: row.active === 1 };
}

function toFileRequest(row: queries.FileRequestRow): FileRequest {
  return {
    id: row.id,
    title: row.title,
    createdAt: toIso(row.createdAt),
    active: row.active === 1,
    ownerId: row.ownerId,
    ownerName: row.ownerName,
    ownerEmail: row.ownerEmail,
    freeSubmissions: row.freeSubmissions,
    paidSubmissions: row.paidSubmissions,
    submissionsTotal: row.freeSubmissions + row.paidSubmissions,
    latestSubmissionAt: toIsoOrNull(row.latestSubmissionAt),
  };
}

/** Reads `true` or `false`; any other value is ignored (decision 4.33). */
function readActive(text: string | undefined): 0 | 1 | null {
  if (text === "true") return 1;
  return text === "false" ? 0 : null;
}
