import { CLIENT_INFO_META_KEY, isJsonContentType } from "@modelcontextprotocol/server";
import { readText } from "../../http/body/json-body.ts";
import { stateOf } from "../../http/request-state.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { type Caller, type Credentials, identify } from "../caller.ts";
import type { Surface } from "../surface.ts";
import { type Challenges, jsonRpcError, requestIdOf } from "./challenge.ts";
import { isKnownHost } from "./hosts.ts";
import { createServings } from "./serving.ts";

export type McpOptions = {
  surface: Surface;
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
  const { surface, credentials, challenges, hosts, log } = options;
  const servingOf = createServings(surface, log);

  return async (request) => {
    if (!isKnownHost(request, hosts)) return challenges.wrongHost();
    const admitted = admit(credentials, request);
    if (admitted instanceof DomainError) return challenges.refused(admitted);
    const body = await readMessage(request);
    if (body instanceof Response) return body;
    const serving = servingOf(request);
    if ("strangers" in serving) return challenges.noSuchTools(requestIdOf(body), serving.strangers);
    const caller = { ...admitted, client: clientIn(body) ?? admitted.client };
    takeTime(request);
    const missing = serving.missing(body, caller);
    if (missing.length > 0)
      return challenges.moreScopes(requestIdOf(body), caller.principal.scopes ?? [], missing);

    return serving.serve(body, request, caller);
  };
}

/** From here on a call may take minutes. Its requests to the API have the API's own timeout. */
function takeTime(request: Request): void {
  const state = stateOf(request);
  state.hasNoTimeout = true;
  state.keepOpen?.();
}

/** Returns the caller, or the refusal. */
function admit(credentials: Credentials, request: Request): Caller | DomainError {
  try {
    const who = identify(credentials, request.headers);
    const client = request.headers.get("user-agent") ?? "";
    return { ...who, ip: stateOf(request).ip, client, ...accepted(request) };
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Returns how the client names itself in a message. Those of 2025 do so only once, so their User-Agent has to do. */
function clientIn(body: unknown): string | undefined {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } };
  const client = params?._meta?.[CLIENT_INFO_META_KEY] as { name?: unknown; version?: unknown } | undefined;
  return typeof client?.name === "string" ? `${client.name} ${client.version ?? ""}`.trim() : undefined;
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

/** A client that sends no Accept header accepts everything. A client that asks only for JSON gets only JSON. */
function accepted({ headers }: Request): Pick<Caller, "takesJson" | "takesStream"> {
  const accept = headers.get("accept");
  if (accept === null) return { takesJson: true, takesStream: true };
  const takesStream = /text\/(event-stream|\*)|\*\/\*/.test(accept);
  return { takesStream, takesJson: !/^\s*text\/event-stream\s*$/.test(accept) };
}
