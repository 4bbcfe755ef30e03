/** A tool, as in the specification's table. Parameters: required ones first, then `?` and the optional ones. */
type Row = {
  name: string;
  parameters: string;
  calls: string;
  scopes: string;
  /** Marked (compact): accepts `detail`. */
  compact?: true;
  /** Only reads. All other tools change something. */
  reads?: true;
};

const read = { reads: true } as const;
const compact = { reads: true, compact: true } as const;

/** The table of the specification, "Tool server", in its order. */
export const TABLE: readonly Row[] = [
  {
    name: "list_tracks",
    parameters:
      "? query tags tagMode createdAfter createdBefore untagged neverPlayed analysis bpmMin bpmMax key limit cursor sort detail",
    calls: "GET /tracks",
    scopes: "read:tracks",
    ...compact,
  },
  { name: "get_track_count", parameters: "?", calls: "GET /tracks/count", scopes: "read:tracks", ...read },
  {
    name: "get_track",
    parameters: "trackId ? similar detail",
    calls: "GET /tracks/single",
    scopes: "read:tracks",
    ...compact,
  },
  {
    name: "update_track_details",
    parameters:
      "trackId ? title artist album key year isrc composer recordLabel cover bpm composers dryRun undo",
    calls: "PATCH /tracks/details",
    scopes: "update:tracks",
  },
  {
    name: "upload_track_by_url",
    parameters: "items ?",
    calls: "POST /tracks/upload/url",
    scopes: "create:tracks",
  },
  {
    name: "find_duplicate_tracks",
    parameters: "? limit offset",
    calls: "GET /tracks/duplicates",
    scopes: "read:tracks",
    ...read,
  },
  {
    name: "list_track_versions",
    parameters: "trackId ? detail notes",
    calls: "GET /tracks/{trackId}/versions",
    scopes: "read:tracks",
    ...compact,
  },
  {
    name: "upload_track_version",
    parameters: "trackId fileUrl ? name label activate",
    calls: "POST /tracks/{trackId}/versions/url",
    scopes: "update:tracks",
  },
  {
    name: "activate_track_version",
    parameters: "trackId versionId ? dryRun",
    calls: "POST /tracks/{trackId}/versions/{versionId}/activate",
    scopes: "update:tracks",
  },
  {
    name: "update_track_version",
    parameters: "trackId versionId ? name label visible dryRun",
    calls: "PATCH /tracks/{trackId}/versions/{versionId}",
    scopes: "update:tracks",
  },
  {
    name: "delete_track_version",
    parameters: "trackId versionId ? dryRun",
    calls: "DELETE /tracks/{trackId}/versions/{versionId}",
    scopes: "update:tracks",
  },
  {
    name: "search_tracks",
    parameters:
      "query ? limit bpmMin bpmMax durationMinSec durationMaxSec hasVocals key language availableAs " +
      "seedTrackIds like excludeTrackIds detail",
    calls: "POST /tracks/search",
    scopes: "read:tracks",
    ...compact,
  },
  {
    name: "get_tag_taxonomy",
    parameters: "? category detail",
    calls: "GET /taxonomy",
    scopes: "read:tracks",
    ...compact,
  },
  {
    name: "update_track_tags",
    parameters:
      "trackId ? mode genres moods types vocals instruments lyricThemes eras characters movements additionalTags dryRun",
    calls: "PATCH /tracks/tags",
    scopes: "update:tracks",
  },
  {
    name: "trigger_auto_tag",
    parameters: "trackId ?",
    calls: "POST /tracks/auto-tag",
    scopes: "update:tracks",
  },
  {
    name: "batch_auto_tag",
    parameters: "trackIds ?",
    calls: "POST /tracks/auto-tag/batch",
    scopes: "update:tracks",
  },
  {
    name: "get_suggested_tags",
    parameters: "trackId ?",
    calls: "GET /tracks/suggested-tags",
    scopes: "read:tracks",
    ...read,
  },
  {
    name: "wait_for_auto_tag",
    parameters: "trackId ? trigger timeoutSeconds pollIntervalSeconds",
    calls: "GET /tracks/suggested-tags",
    scopes: "read:tracks update:tracks",
  },
  {
    name: "apply_suggested_tags",
    parameters: "trackId ? dryRun",
    calls: "POST /tracks/apply-suggested-tags",
    scopes: "update:tracks",
  },
  {
    name: "upload_artwork",
    parameters: "trackId ? url base64 filename dryRun",
    calls: "POST /tracks/cover-art",
    scopes: "update:tracks",
  },
  {
    name: "list_playlists",
    parameters: "? limit cursor detail",
    calls: "GET /playlists",
    scopes: "read:playlists",
    ...compact,
  },
  {
    name: "get_playlist",
    parameters: "playlistId ? detail",
    calls: "GET /playlists/single/{playlistId}",
    scopes: "read:playlists",
    ...compact,
  },
  {
    name: "create_playlist",
    parameters: "name trackIds ? description dedupe recipient",
    calls: "POST /playlists",
    scopes: "create:playlists",
  },
  {
    name: "update_playlist",
    parameters: "playlistId ? name description collaborative dryRun recipient delete undo",
    calls: "PATCH /playlists/{playlistId}",
    scopes: "update:playlists",
  },
  {
    name: "add_tracks_to_playlist",
    parameters: "playlistId trackIds ?",
    calls: "POST /playlists/{playlistId}/tracks",
    scopes: "create:playlists",
  },
  {
    name: "remove_track_from_playlist",
    parameters: "playlistId trackId ? dryRun",
    calls: "DELETE /playlists/{playlistId}/tracks/{trackId}",
    scopes: "update:playlists",
  },
  {
    name: "reorder_playlist",
    parameters: "playlistId trackIds ? dryRun",
    calls: "PATCH /playlists/{playlistId}/order",
    scopes: "update:playlists",
  },
  {
    name: "list_composers",
    parameters: "? cursor detail",
    calls: "GET /composers",
    scopes: "read:composers",
    ...compact,
  },
  {
    name: "get_composer_count",
    parameters: "?",
    calls: "GET /composers/count",
    scopes: "read:composers",
    ...read,
  },
  {
    name: "get_composer",
    parameters: "composerId ? detail",
    calls: "GET /composers/single",
    scopes: "read:composer",
    ...compact,
  },
  {
    name: "create_composer",
    parameters: "fullName email ? artistName publisher pro ipi",
    calls: "POST /composers",
    scopes: "create:composer",
  },
  {
    name: "update_composer",
    parameters: "composerId ? fullName email artistName publisher pro ipi dryRun undo",
    calls: "PATCH /composers",
    scopes: "update:composer",
  },
  {
    name: "delete_composer",
    parameters: "composerId ? dryRun",
    calls: "DELETE /composers",
    scopes: "delete:composer",
  },
  {
    name: "get_dashboard",
    parameters: "?",
    calls: "GET /analytics/dashboard",
    scopes: "read:analytics",
    ...read,
  },
  {
    name: "get_entity_stats",
    parameters: "entity ids ? since until listeners",
    calls: "GET /analytics/stats",
    scopes: "read:analytics",
    ...read,
  },
  {
    name: "get_top_tracks",
    parameters: "metric ? since until limit",
    calls: "GET /analytics/top",
    scopes: "read:analytics",
    ...read,
  },
  { name: "list_briefs", parameters: "?", calls: "GET /briefs", scopes: "read:briefs", ...read },
  {
    name: "get_brief_submissions",
    parameters: "briefId ?",
    calls: "GET /briefs/{briefId}/submissions",
    scopes: "read:briefs",
    ...read,
  },
  {
    name: "get_track_submissions",
    parameters: "trackId ?",
    calls: "GET /tracks/submissions",
    scopes: "read:tracks",
    ...read,
  },
];

/** Bounds and defaults that the table states, as JSON Schema. */
export const BOUNDS: readonly [tool: string, parameter: string, schema: object][] = [
  ["list_tracks", "limit", { type: "integer", minimum: 1, maximum: 200, default: 50 }],
  ["list_tracks", "tagMode", { enum: ["any", "all"], default: "any" }],
  ["list_tracks", "sort", { enum: ["created_at", "-created_at", "name", "-name"] }],
  ["list_tracks", "detail", { enum: ["compact", "full"], default: "compact" }],
  ["list_playlists", "limit", { type: "integer", minimum: 1, maximum: 200 }],
  ["upload_track_by_url", "items", { minItems: 1, maxItems: 25 }],
  ["find_duplicate_tracks", "limit", { minimum: 1, maximum: 100, default: 20 }],
  ["find_duplicate_tracks", "offset", { minimum: 0, default: 0 }],
  ["upload_track_version", "activate", { type: "boolean", default: true }],
  ["update_track_version", "name", { maxLength: 200 }],
  ["update_track_version", "label", { maxLength: 80 }],
  ["search_tracks", "query", { minLength: 1, maxLength: 2000 }],
  ["search_tracks", "limit", { minimum: 1, maximum: 50, default: 20 }],
  ["search_tracks", "bpmMin", { minimum: 1, maximum: 300 }],
  ["search_tracks", "bpmMax", { minimum: 1, maximum: 300 }],
  ["search_tracks", "hasVocals", { type: "boolean" }],
  ["search_tracks", "seedTrackIds", { maxItems: 50 }],
  ["search_tracks", "excludeTrackIds", { maxItems: 200 }],
  ["batch_auto_tag", "trackIds", { minItems: 1 }],
  ["wait_for_auto_tag", "trigger", { type: "boolean", default: false }],
  ["wait_for_auto_tag", "timeoutSeconds", { minimum: 5, maximum: 300, default: 90 }],
  ["wait_for_auto_tag", "pollIntervalSeconds", { minimum: 2, maximum: 30, default: 3 }],
  ["upload_artwork", "filename", { default: "cover.jpg" }],
  ["create_playlist", "name", { maxLength: 120 }],
  ["create_playlist", "description", { maxLength: 2000 }],
  ["create_playlist", "trackIds", { minItems: 1 }],
  ["get_entity_stats", "entity", { enum: ["track", "playlist"] }],
  ["get_entity_stats", "ids", { minItems: 1, maxItems: 50 }],
  ["get_top_tracks", "metric", { enum: ["plays", "views", "downloads", "saved", "shares", "comments"] }],
  ["get_top_tracks", "limit", { minimum: 1, maximum: 50, default: 10 }],
];
