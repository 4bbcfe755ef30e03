import { STATUS } from "../http/errors.ts";
import type { DomainError } from "../kernel/errors.ts";
import { scopeMessage } from "./results.ts";

/** Of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000;
/** What a client that signs in without knowing better asks for (decision 5.11). */
const FIRST_SCOPES = "read:tracks read:playlists";

/** The refusals that come before the protocol. */
export type Challenges = {
  wrongHost: () => Response;
  /** 401 with the way to sign in, or 403. */
  refused: (refusal: DomainError) => Response;
  moreScopes: (id: RequestId, granted: readonly string[], missing: readonly string[]) => Response;
};

type RequestId = string | number | null;

/** Makes them; `metadataUrl` is where a client learns how to sign in (RFC 9728). */
export function challenges(metadataUrl: string): Challenges {
  const metadata = `resource_metadata="${metadataUrl}"`;
  return {
    wrongHost: () =>
      jsonRpcError(403, REFUSED, "This server is not known under that Host: set MCP_BASE to its address"),
    refused: ({ code, message }) => {
      const statusCode = STATUS[code];
      const error = code === "invalid_token" ? 'error="invalid_token", ' : "";
      const headers = { "www-authenticate": `Bearer ${error}${metadata}, scope="${FIRST_SCOPES}"` };
      const data = { statusCode, messageCode: code };
      return jsonRpcError(statusCode, REFUSED, message, { data, ...(statusCode === 401 && { headers }) });
    },
    moreScopes: (id, granted, missing) => {
      const scope = [...new Set([...granted, ...missing])].join(" ");
      return jsonRpcError(403, REFUSED, scopeMessage({ required: missing.join(" ") }), {
        id,
        data: { statusCode: 403, messageCode: "insufficient_scope", required: missing },
        headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}", ${metadata}` },
      });
    },
  };
}

/** An answer that is a JSON-RPC error. */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  { id = null, data, headers }: { id?: RequestId; data?: object; headers?: Record<string, string> } = {},
): Response {
  const error = { code, message, ...(data && { data }) };
  return Response.json({ jsonrpc: "2.0", error, id }, { status, ...(headers && { headers }) });
}

/** The id of a request, null where none can be told. */
export function requestIdOf(body: unknown): RequestId {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
