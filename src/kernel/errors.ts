/** Every machine-readable error code of the service (specification section 7, decision 7.6). */
export type ErrorCode =
  | "active_version"
  | "analysis_failed"
  | "answer_not_found"
  | "being_prepared"
  | "brief_not_found"
  | "brief_not_open"
  | "changed_since"
  | "comment_not_found"
  | "composer_not_found"
  | "delivery_not_found"
  | "download_failed"
  | "duplicate_email"
  | "expired_key"
  | "expired_session_token"
  | "family_full"
  | "file_missing"
  | "file_request_not_found"
  | "file_too_large"
  | "grant_not_found"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "image_download_failed"
  | "insufficient_scope"
  | "insufficient_storage"
  | "internal_error"
  | "invalid_credentials"
  | "invalid_file_type"
  | "invalid_image_type"
  | "invalid_image_url"
  | "invalid_key"
  | "invalid_link"
  | "invalid_scope"
  | "invalid_session_token"
  | "invalid_setup_code"
  | "invalid_token"
  | "invalid_transition"
  | "invalid_webhook_url"
  | "invitation_not_found"
  | "job_lost"
  | "key_limit_reached"
  | "key_not_active"
  | "key_not_editable"
  | "key_not_found"
  | "length_required"
  | "library_damaged"
  | "mail_limit"
  | "mail_not_found"
  | "mail_off"
  | "mail_stopped"
  | "member_not_found"
  | "method_not_allowed"
  | "missing_api_key"
  | "missing_file"
  | "missing_image"
  | "missing_session_token"
  | "not_a_member"
  | "not_asked"
  | "not_enough_credits"
  | "not_found"
  | "note_closed"
  | "notification_not_found"
  | "origin_not_allowed"
  | "password_sign_in_off"
  | "payload_too_large"
  | "player_limit_reached"
  | "player_not_found"
  | "playlist_not_found"
  | "pocket_not_found"
  | "proof_needed"
  | "range_not_satisfiable"
  | "rate_limit_exceeded"
  | "registration_closed"
  | "request_timeout"
  | "search_not_found"
  | "session_not_found"
  | "share_not_found"
  | "storage_unavailable"
  | "team_full"
  | "too_many_devices"
  | "too_many_files"
  | "too_many_notes"
  | "too_many_tracks"
  | "track_not_found"
  | "undo_not_found"
  | "unsupported_format"
  | "upload_incomplete"
  | "url_not_allowed"
  | "validation_failed"
  | "version_not_analysed"
  | "version_not_found"
  | "webhook_not_active"
  | "worker_unfit";

/** One fault in a request: where it is and what is wrong, never the value itself. */
export type ValidationIssue = { path: string; code: string; detail: string };

/** A refusal that the caller can act on. `message` is public; private details go in `cause`. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  /** Structured details for the answer's `data`. */
  readonly data: Record<string, unknown> | undefined;
  /** Header fields that belong to the refusal, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when it is what is there already that stands against it, where the code alone does not say so. */
  readonly isConflict: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      data?: Record<string, unknown>;
      headers?: Record<string, string>;
      cause?: unknown;
      isConflict?: boolean;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.headers = options.headers ?? {};
    this.isConflict = options.isConflict ?? false;
  }
}

/** The library cannot be opened. `message` is the one sentence that the operator sees; it says what to do. */
export class LibraryError extends Error {
  override readonly name = "LibraryError";
}

/** Returns the refusal for a request that does not have the documented shape (decision 0.3). */
export function invalidRequest(issues: readonly ValidationIssue[]): DomainError {
  return new DomainError("validation_failed", "Invalid request", { data: { errors: [...issues] } });
}

/** Shorthand for {@link invalidRequest} with a single issue. */
export function invalidField(path: string, code: string, detail: string): DomainError {
  return invalidRequest([{ path, code, detail }]);
}
