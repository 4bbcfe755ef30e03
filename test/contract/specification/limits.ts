/** A limit of section 8 for a field, in characters for texts and items for lists. */
export type FieldLimit = { row: string; field: string; min?: number; max?: number; default?: number };

const cursorPage = { field: "query.limit", min: 1, max: 200, default: 50 };

/** The limits of section 8 that apply to fields; the others have their own tests. */
export const FIELD_LIMITS: readonly FieldLimit[] = [
  { row: "GET /tracks", ...cursorPage },
  { row: "GET /playlists", ...cursorPage },
  { row: "POST /tracks/upload", field: "form.files", max: 25 },
  { row: "POST /tracks/upload/url", field: "body.items", min: 1, max: 25 },
  { row: "POST /tracks/search", field: "body.query", min: 1, max: 2000 },
  { row: "POST /tracks/search", field: "body.limit", min: 1, max: 50, default: 20 },
  { row: "POST /tracks/search", field: "body.seedTrackIds", max: 50 },
  { row: "POST /tracks/search", field: "body.excludeTrackIds", max: 200 },
  { row: "POST /playlists", field: "body.name", max: 120 },
  { row: "POST /playlists", field: "body.description", max: 2000 },
  { row: "POST /playlists", field: "body.trackIds", min: 1 },
  { row: "PATCH /tracks/{trackId}/versions/{versionId}", field: "body.name", max: 200 },
  { row: "PATCH /tracks/{trackId}/versions/{versionId}", field: "body.label", max: 80 },
  { row: "GET /analytics/stats", field: "query.ids", min: 1, max: 50 },
  { row: "GET /analytics/top", field: "query.limit", min: 1, max: 50, default: 10 },
  { row: "GET /tracks/duplicates", field: "query.limit", min: 1, max: 100, default: 20 },
];
