import { STATUS } from "../../http/errors.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { scopeMessage } from "../calls/results.ts";

/** A code from the range that JSON-RPC reserves for servers. */
const REFUSED = -32_000;
/** The scopes suggested to a client that signs in for the first time (decision 5.11). */
const FIRST_SCOPES = "read:tracks read:playlists";

/** The refusals that come before the protocol handles a request. */
export type Challenges = {
  wrongHost: () => Response;
  /** 401 with directions to sign in, or 403. */
  refused: (refusal: DomainError) => Response;
  /** 400 for a list of tools that names one that does not exist. */
  noSuchTools: (id: RequestId, names: readonly string[]) => Response;
  moreScopes: (id: RequestId, granted: readonly string[], missing: readonly string[]) => Response;
};

type RequestId = string | number | null;

/** Makes the refusals. At `metadataUrl` a client learns how to sign in (RFC 9728). */
export function challenges(metadataUrl: string): Challenges {
  const metadata = `resource_metadata="${metadataUrl}"`;
  return {
    wrongHost: () =>
      jsonRpcError(
        403,
        REFUSED,
        "This server is not known by that Host: the operator can set MCP_BASE to its address",
      ),
    refused: ({ code, message }) => {
      const statusCode = STATUS[code];
      const error = code === "invalid_token" ? 'error="invalid_token", ' : "";
      const headers = { "www-authenticate": `Bearer ${error}${metadata}, scope="${FIRST_SCOPES}"` };
      const data = { statusCode, messageCode: code };
      return jsonRpcError(statusCode, REFUSED, message, { data, ...(statusCode === 401 && { headers }) });
    },
    noSuchTools: (id, names) =>
      jsonRpcError(400, -32_602, `X-MCP-Tools names no tool of this server: ${names.map(shown).join(", ")}`, {
        id,
      }),
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

const shown = (name: string) => JSON.stringify(name.slice(0, 60));

/** Returns an answer that is a JSON-RPC error. */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  { id = null, data, headers }: { id?: RequestId; data?: object; headers?: Record<string, string> } = {},
): Response {
  const error = { code, message, ...(data && { data }) };
  return Response.json({ jsonrpc: "2.0", error, id }, { status, ...(headers && { headers }) });
}

/** Returns the id of a request, or null when it has no valid id. */
export function requestIdOf(body: unknown): RequestId {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
