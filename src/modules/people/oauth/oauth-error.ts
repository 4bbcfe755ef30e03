/** Refusals of the authorization and token endpoints, under the names that the RFCs give them. */
export type OAuthErrorCode =
  // RFC 6749, sections 4.1.2.1 and 5.2
  | "access_denied"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "temporarily_unavailable"
  // RFC 8707, section 2
  | "invalid_target"
  // RFC 7591, section 3.2.2
  | "invalid_client_metadata"
  | "invalid_redirect_uri";

/** A refusal that a client's author can act on. `message` is the `error_description`, fit for a stranger. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: OAuthErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
