import { type Input, type Inputs, idOf, oneOf, type Row, required, type Shape } from "../notation.ts";

const METRICS = ["plays", "views", "downloads", "saved", "shares", "comments"] as const;
const entity: Input = { is: "choice", of: ["track", "playlist"] };
const range: Inputs = { since: { is: "moment" }, until: { is: "moment" } };

const dashboard = {
  thisWeek: {
    rangeLabel: "string",
    headline: "string",
    blurb: "string",
    uploaded: "integer",
    views: "integer",
    downloads: "integer",
  },
  recentActivity: {
    totalThisWeek: "integer",
    items: [
      {
        id: "string",
        title: "string",
        entityKey: oneOf("track", "playlist", "composer", "brief"),
        entityId: "string",
        sentAt: "timestamp",
        actor: { type: oneOf("user", "visitor", "system"), name: "string|null" },
      },
    ],
  },
  tracks: { total: "integer", uploadedThisWeek: "integer" },
  yourSound: { genre: "string|null", mood: "string|null", totalDurationLabel: "string|null" },
  playlists: { total: "integer", lastUpdatedAt: "timestamp|null" },
} as const satisfies Shape;

/** Section 4, "Analytics". */
export const analyticsRows: readonly Row[] = [
  { method: "GET", path: "/analytics/dashboard", needs: "read:analytics", answer: dashboard },
  {
    method: "GET",
    path: "/analytics/stats",
    needs: "read:analytics",
    query: {
      entity: required(entity),
      ids: required({ is: "list", item: idOf("track"), min: 1, max: 50, csvOnly: true }),
      ...range,
    },
    answer: {
      entity: oneOf("track", "playlist"),
      range: { since: "timestamp", until: "timestamp" },
      items: [
        {
          id: "string",
          name: "string",
          artist: "string|null",
          stats: Object.fromEntries(METRICS.map((metric) => [metric, "integer" as const])),
          total: "integer",
        },
      ],
      notFound: ["string"],
    },
    refuses: ["400 validation_failed"],
  },
  {
    method: "GET",
    path: "/analytics/top",
    needs: "read:analytics",
    query: {
      metric: required({ is: "choice", of: METRICS }),
      entity: { ...entity, default: "track" },
      limit: { is: "integer", min: 1, max: 50, default: 10 },
      ...range,
    },
    answer: {
      entity: oneOf("track", "playlist"),
      metric: oneOf(...METRICS),
      range: { since: "timestamp|null", until: "timestamp|null" },
      items: [{ id: "string", name: "string", artist: "string|null", count: "integer" }],
    },
    refuses: ["400 validation_failed"],
  },
];

const pages = (clampedAt: number): Inputs => ({
  page: { is: "integer", min: 1, default: 1, lenient: true },
  pageSize: { is: "integer", min: 1, clampedAt, default: 50, lenient: true },
});
const pageOf = (row: Shape): Record<string, Shape> => ({
  rows: [row],
  page: "integer",
  pageSize: "integer",
  totalCount: "integer",
  totalPages: "integer",
});

/** Section 4, "Platform API", and section 2, "Platform rows". */
export const platformRows: readonly Row[] = [
  {
    method: "GET",
    path: "/platform/file-requests",
    needs: "platform:read:file-requests",
    query: { ...pages(100), active: { is: "boolean", lenient: true } },
    answer: pageOf({
      id: "string",
      title: "string",
      createdAt: "timestamp",
      active: "boolean",
      ownerId: "string",
      ownerName: "string",
      ownerEmail: "string",
      freeSubmissions: "integer",
      paidSubmissions: "integer",
      submissionsTotal: "integer",
      latestSubmissionAt: "timestamp|null",
    }),
  },
  {
    method: "GET",
    path: "/platform/file-requests/{id}/submissions",
    needs: "platform:read:file-requests",
    params: { id: idOf("file request") },
    query: pages(200),
    answer: {
      ...pageOf({
        kind: "string",
        submittedAt: "timestamp",
        itemCount: "integer",
        submitterId: "string|null",
      }),
      requestId: "string",
      active: "boolean",
    },
    refuses: ["404 file_request_not_found"],
  },
  {
    method: "GET",
    path: "/platform/accounts",
    needs: "platform:read:accounts",
    query: { ...pages(200), createdAfter: { is: "day", lenient: true } },
    answer: pageOf({
      id: "string",
      name: "string",
      email: "string",
      username: "string|null",
      createdAt: "timestamp",
      active: "boolean",
      acquisitionSource: "string|null",
      acquisitionFileRequestId: "string|null",
      acquisitionFileRequestTitle: "string|null",
      acquisitionFileRequestOwnerId: "string|null",
    }),
  },
];
