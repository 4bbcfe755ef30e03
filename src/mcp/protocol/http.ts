import { classifyInboundRequest, createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server";
import { JSON_LIMIT_BYTES, readText } from "../../http/body/json-body.ts";
import { stateOf } from "../../http/request-state.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { type Caller, type Credentials, identify } from "../caller.ts";
import type { Surface } from "../surface.ts";
import { type Challenges, jsonRpcError, requestIdOf } from "./challenge.ts";
import { createDirect } from "./direct.ts";
import { isKnownHost } from "./hosts.ts";
import { createLegacyServing } from "./legacy.ts";
import { missingScopes } from "./scopes.ts";
import type { NewServer } from "./server.ts";

/** Most streams that may wait for changes at once. There are no changes to report, so a few are enough. */
const MAX_SUBSCRIPTIONS = 64;

export type McpOptions = {
  surface: Surface;
  newServer: NewServer;
  credentials: Credentials;
  challenges: Challenges;
  /** Names of this server, besides numeric addresses. */
  hosts: ReadonlySet<string>;
  log: Log;
};

/** Serves `POST {mcp_base}/mcp`: Streamable HTTP without sessions, both protocol eras. Never throws. */
export type McpHandler = (request: Request) => Promise<Response>;

/**
 * Makes the handler. It checks the host, the credential, the body and the scopes of a grant (decision 5.12), in
 * this order. Then the SDK handles the protocol. The routes that a call reaches check a key's scopes.
 */
export function createMcp(options: McpOptions): McpHandler {
  const { surface, newServer, credentials, challenges, hosts, log } = options;
  const direct = createDirect(surface);
  const serveLegacy = createLegacyServing(newServer);
  const modern = createMcpHandler(({ authInfo }) => newServer(callerOf(authInfo)), {
    legacy: "reject",
    maxRequestBodySize: JSON_LIMIT_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log("debug", "The tool server refused a message", { error: error.message }),
  });

  const serve = async (body: unknown, request: Request, caller: Caller): Promise<Response> => {
    const route = classifyInboundRequest({ httpMethod: "POST", ...headersOf(request), body });
    if (route.kind === "legacy") return serveLegacy(body, request, caller);
    // The SDK passes this value on to the server for this request.
    const authInfo = { token: "", clientId: caller.principal.actor.keyId, scopes: [], extra: { caller } };
    return modern.fetch(request, { authInfo, parsedBody: body });
  };

  return async (request) => {
    if (!isKnownHost(request, hosts)) return challenges.wrongHost();
    const caller = admit(credentials, request);
    if (caller instanceof DomainError) return challenges.refused(caller);
    const body = await readMessage(request);
    if (body instanceof Response) return body;
    takeTime(request);
    const missing = missingOf(surface, body, caller);
    if (missing.length > 0)
      return challenges.moreScopes(requestIdOf(body), caller.principal.scopes ?? [], missing);

    return direct(body, request, caller) ?? serve(body, request, caller);
  };
}

/** From here on a call may take minutes. Its requests to the API have the API's own timeout. */
function takeTime(request: Request): void {
  const state = stateOf(request);
  state.hasNoTimeout = true;
  state.keepOpen?.();
}

/** Returns the scopes that a grant still needs and its owner may add. The routes check the scopes of a key. */
const missingOf = (surface: Surface, body: unknown, { isGrant, principal }: Caller) =>
  isGrant ? missingScopes(surface, body, principal) : [];

/** Returns the caller, or the refusal. */
function admit(credentials: Credentials, request: Request): Caller | DomainError {
  try {
    const who = identify(credentials, request.headers);
    return { ...who, ip: stateOf(request).ip, ...accepted(request) };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function callerOf(authInfo: { extra?: Record<string, unknown> } | undefined): Caller {
  // Set a few lines above, for every request.
  return authInfo?.extra?.caller as Caller;
}

/** Reads the JSON of a request, at most 10 MB, or returns the refusal. */
async function readMessage(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get("content-type")))
    return jsonRpcError(415, -32_000, "Send JSON with Content-Type: application/json");
  try {
    return JSON.parse(await readText(request));
  } catch (error) {
    if (error instanceof DomainError) return jsonRpcError(413, -32_000, error.message);
    return jsonRpcError(400, -32_700, "Parse error: the body is not well-formed JSON");
  }
}

function headersOf({ headers }: Request) {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((each) =>
    headers.get(each),
  );
  return {
    ...(typeof version === "string" && { protocolVersionHeader: version }),
    ...(typeof method === "string" && { mcpMethodHeader: method }),
    ...(typeof name === "string" && { mcpNameHeader: name }),
  };
}

/** A client that sends no Accept header accepts everything. A client that asks only for JSON gets only JSON. */
function accepted({ headers }: Request): Pick<Caller, "takesJson" | "takesStream"> {
  const accept = headers.get("accept");
  if (accept === null) return { takesJson: true, takesStream: true };
  const takesStream = /text\/(event-stream|\*)|\*\/\*/.test(accept);
  return { takesStream, takesJson: !/^\s*text\/event-stream\s*$/.test(accept) };
}
