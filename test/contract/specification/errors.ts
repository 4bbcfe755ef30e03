/** A row of section 7. `elsewhere`: the test that causes the error, if no request of a row can. */
export type ErrorRow = { status: number; messageCode: string; elsewhere?: string };

/** Section 7, with the codes from decisions 7.1 to 7.3 for rows without one. */
export const ERRORS: readonly ErrorRow[] = [
  { status: 401, messageCode: "missing_api_key" },
  { status: 401, messageCode: "invalid_key" },
  { status: 401, messageCode: "expired_key" },
  { status: 403, messageCode: "insufficient_scope" },
  { status: 400, messageCode: "invalid_scope" },
  { status: 400, messageCode: "validation_failed" },
  { status: 400, messageCode: "not_enough_credits" },
  { status: 400, messageCode: "missing_image" },
  { status: 400, messageCode: "invalid_image_url" },
  { status: 400, messageCode: "invalid_image_type" },
  { status: 400, messageCode: "image_download_failed" },
  { status: 400, messageCode: "duplicate_email" },
  { status: 404, messageCode: "track_not_found" },
  { status: 404, messageCode: "version_not_found" },
  { status: 409, messageCode: "active_version" },
  { status: 409, messageCode: "version_not_analysed" },
  { status: 429, messageCode: "rate_limit_exceeded", elsewhere: "limits.test.ts" },
  { status: 503, messageCode: "request_timeout", elsewhere: "limits.test.ts" },
  { status: 500, messageCode: "internal_error", elsewhere: "limits.test.ts" },
  { status: 404, messageCode: "not_found", elsewhere: "test/http/deprecation.test.ts" },
];
