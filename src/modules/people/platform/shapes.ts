import { type Static, type TObject, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

// Strings, because values that are not numbers are ignored here, not refused (decision 4.33).
const page = Type.Optional(Type.String({ description: "From 1; anything else is 1" }));
const pageSize = (max: number) =>
  Type.Optional(Type.String({ description: `1 to ${max}; a larger number is ${max}, anything else is 50` }));

/** The most rows that a page of each listing may have. */
export const MAX_FILE_REQUESTS = 100;
export const MAX_SUBMISSIONS = 200;
export const MAX_ACCOUNTS = 200;

export const FileRequestsQuery = Type.Object({
  page,
  pageSize: pageSize(MAX_FILE_REQUESTS),
  active: Type.Optional(Type.String({ description: "`true` or `false`; anything else is ignored" })),
});
export type FileRequestsQuery = Static<typeof FileRequestsQuery>;

export const SubmissionsQuery = Type.Object({ page, pageSize: pageSize(MAX_SUBMISSIONS) });
export type SubmissionsQuery = Static<typeof SubmissionsQuery>;

export const AccountsQuery = Type.Object({
  page,
  pageSize: pageSize(MAX_ACCOUNTS),
  createdAfter: Type.Optional(
    Type.String({ description: "First UTC day YYYY-MM-DD, or a time; anything else is ignored" }),
  ),
});
export type AccountsQuery = Static<typeof AccountsQuery>;

export const FileRequestParams = Type.Object({ id: Type.String() });

const text = nullable(Type.String());
const Count = Type.Integer({ minimum: 0 });

/** A brief whose public page is on, or once was. */
const FileRequest = shape("FileRequest", {
  id: Type.String(),
  title: Type.String(),
  createdAt: Timestamp,
  active: Type.Boolean({ description: "Open, and its deadline is not past" }),
  ownerId: Type.String(),
  ownerName: Type.String(),
  ownerEmail: Type.String(),
  freeSubmissions: Count,
  paidSubmissions: Count,
  submissionsTotal: Count,
  latestSubmissionAt: nullable(Timestamp),
});
export type FileRequest = Static<typeof FileRequest>;

/** Items that were sent together. */
const Submission = shape("FileRequestSubmission", {
  kind: Type.Union([Type.Literal("free"), Type.Literal("paid")]),
  submittedAt: Timestamp,
  itemCount: Type.Integer({ minimum: 1 }),
  submitterId: nullable(
    Type.String({ description: "Keyed hash of the submitter: the same in all answers, not reversible" }),
  ),
});
export type Submission = Static<typeof Submission>;

const Account = shape("Account", {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  username: text,
  createdAt: Timestamp,
  active: Type.Boolean(),
  acquisitionSource: text,
  acquisitionFileRequestId: text,
  acquisitionFileRequestTitle: text,
  acquisitionFileRequestOwnerId: text,
});
export type Account = Static<typeof Account>;

/** One page of rows, and the total number of rows and pages. */
export type Page<Row> = {
  rows: Row[];
  page: number;
  pageSize: number;
  totalCount: number;
  totalPages: number;
};

const pageOf = <Row extends TObject>(row: Row, order: string) => ({
  rows: Type.Array(row, { description: order }),
  page: Type.Integer({ minimum: 1 }),
  pageSize: Type.Integer({ minimum: 1 }),
  totalCount: Count,
  totalPages: Count,
});

export const FileRequestPage = shape(
  "FileRequestPage",
  pageOf(FileRequest, "Latest submission first; requests without one come last, newest first"),
);
export const SubmissionPage = shape("FileRequestSubmissionPage", {
  ...pageOf(Submission, "Newest first"),
  requestId: Type.String(),
  active: Type.Boolean(),
});
export type SubmissionPage = Page<Submission> & { requestId: string; active: boolean };
export const AccountPage = shape("AccountPage", pageOf(Account, "Newest first"));
