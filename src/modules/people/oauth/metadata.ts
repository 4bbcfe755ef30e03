import { ASSIGNABLE_SCOPES } from "../../../kernel/scopes.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { issuerOf, resourceOf } from "./addresses.ts";

/** Returns the tool server's metadata for clients (RFC 9728, section 2). */
export function resourceMetadata(settings: Settings) {
  return {
    resource: resourceOf(settings),
    authorization_servers: [issuerOf(settings)],
    scopes_supported: ASSIGNABLE_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Dubplate",
  };
}

/** Returns the authorization server's metadata (RFC 8414, section 2, with RFC 9207 and client metadata documents). */
export function serverMetadata(settings: Settings) {
  const issuer = issuerOf(settings);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: ASSIGNABLE_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resourceOf(settings)],
  };
}
