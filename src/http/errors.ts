import { Type } from "@sinclair/typebox";
import { DomainError, type ErrorCode } from "../kernel/errors.ts";
import { asRefusal } from "../kernel/refusals.ts";

/** The one place where refusals become HTTP status numbers (specification section 7). */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  active_version: 409,
  analysis_failed: 422,
  answer_not_found: 404,
  being_prepared: 503,
  brief_not_found: 404,
  brief_not_open: 409,
  changed_since: 409,
  comment_not_found: 404,
  composer_not_found: 404,
  delivery_not_found: 404,
  download_failed: 400,
  duplicate_email: 400,
  expired_key: 401,
  expired_session_token: 401,
  family_full: 409,
  file_missing: 500,
  file_request_not_found: 404,
  file_too_large: 413,
  grant_not_found: 404,
  idempotency_in_progress: 409,
  idempotency_key_reused: 422,
  image_download_failed: 400,
  insufficient_scope: 403,
  insufficient_storage: 507,
  internal_error: 500,
  invalid_credentials: 401,
  invalid_file_type: 400,
  invalid_image_type: 400,
  invalid_image_url: 400,
  invalid_key: 401,
  invalid_link: 403,
  invalid_scope: 400,
  invalid_session_token: 401,
  invalid_setup_code: 403,
  invalid_token: 401,
  invalid_transition: 409,
  invalid_webhook_url: 400,
  invitation_not_found: 404,
  job_lost: 410,
  key_limit_reached: 409,
  key_not_active: 409,
  key_not_editable: 409,
  key_not_found: 404,
  length_required: 411,
  library_damaged: 503,
  mail_limit: 429,
  mail_not_found: 404,
  mail_off: 409,
  mail_stopped: 409,
  member_not_found: 404,
  method_not_allowed: 405,
  missing_api_key: 401,
  missing_file: 400,
  missing_image: 400,
  missing_session_token: 401,
  not_a_member: 403,
  not_asked: 409,
  not_enough_credits: 400,
  not_found: 404,
  note_closed: 409,
  notification_not_found: 404,
  origin_not_allowed: 403,
  password_sign_in_off: 403,
  payload_too_large: 413,
  player_limit_reached: 409,
  player_not_found: 404,
  playlist_not_found: 404,
  pocket_not_found: 404,
  proof_needed: 403,
  range_not_satisfiable: 416,
  rate_limit_exceeded: 429,
  registration_closed: 403,
  request_timeout: 503,
  search_not_found: 404,
  share_not_found: 404,
  session_not_found: 404,
  storage_unavailable: 503,
  team_full: 409,
  too_many_devices: 409,
  too_many_files: 400,
  too_many_notes: 409,
  too_many_tracks: 400,
  track_not_found: 404,
  undo_not_found: 404,
  unsupported_format: 400,
  upload_incomplete: 409,
  url_not_allowed: 400,
  validation_failed: 400,
  version_not_analysed: 409,
  version_not_found: 404,
  webhook_not_active: 409,
  worker_unfit: 409,
};

/** Reason phrases, written out: `node:http`, which knows them all, is a large part of the start. @see RFC 9110, section 15 */
const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  413: "Payload Too Large",
  416: "Range Not Satisfiable",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

/** Body of every refusal; it has no envelope. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    messageCode: Type.String({ description: "Stable and machine-readable; programs should check this" }),
    message: Type.String({ description: "For people; may change" }),
    error: Type.String({ description: "The reason phrase of the status" }),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: "Error" },
);

/** Returns the answer for a refusal. */
export function errorResponse(error: DomainError): Response {
  const status = error.isConflict ? 409 : STATUS[error.code];
  const body = {
    statusCode: status,
    messageCode: error.code,
    message: error.message,
    error: REASONS[status] ?? "Error",
    ...(error.data && { data: error.data }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...error.headers },
  });
}

/** Turns anything thrown into a refusal. What {@link asRefusal} does not know becomes `internal_error`. */
export function toDomainError(thrown: unknown): DomainError {
  return asRefusal(thrown) ?? new DomainError("internal_error", "Internal error", { cause: thrown });
}
