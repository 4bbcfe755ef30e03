import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  type PerRequestResponseMode,
  SdkError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import { jsonRpcError, requestIdOf } from "./challenge.ts";
import type { NewServer } from "./server.ts";

const MAX_BATCH = 100;

/** Answers a JSON-RPC message that was recognised as belonging to the 2025 protocol. */
type LegacyServing = (body: unknown, request: Request, caller: Caller) => Promise<Response>;

/**
 * Makes the handler for clients that send `initialize`. There are no sessions: each request gets a new server. The
 * answer is plain JSON, unless the call reports progress and the client accepts a stream.
 *
 * Such a client cancels with a separate message on another connection. It is identified by its credential, its
 * address and the request's id. If two clients share all three, the other client's wait ends early, as after a
 * timeout.
 */
export function createLegacyServing(newServer: NewServer): LegacyServing {
  const running = new Map<string, AbortController>();

  const exchange = async (
    message: JSONRPCRequest,
    request: Request,
    from: Caller,
    mode: PerRequestResponseMode,
  ) => {
    const name = nameOf(from, message.id);
    const cancel = new AbortController();
    const server = newServer({ ...from, cancelled: cancel.signal });
    server.onclose = () => {
      if (running.get(name) === cancel) running.delete(name);
    };
    if (message.method === "tools/call") running.set(name, cancel);
    const transport = new PerRequestHTTPServerTransport({
      classification: { era: "legacy" },
      responseMode: mode,
    });
    await server.connect(transport);
    try {
      return await transport.handleMessage(message, { request });
    } catch (error) {
      // The client has gone, so this answer is never read.
      if (error instanceof SdkError) return new Response(null, { status: 499 });
      throw error;
    }
  };

  /** Notifications and answers need no reply. Only a cancellation has an effect here. */
  const accept = (message: unknown, from: Caller): void => {
    const { method, params } = message as { method?: string; params?: { requestId?: string | number } };
    if (method !== "notifications/cancelled" || params?.requestId === undefined) return;
    running.get(nameOf(from, params.requestId))?.abort();
  };

  const serveBatch = async (messages: readonly unknown[], request: Request, caller: Caller) => {
    if (messages.length > MAX_BATCH)
      return jsonRpcError(400, -32_600, `A batch may hold at most ${MAX_BATCH} messages`);
    const requests = messages.filter(isJSONRPCRequest);
    for (const message of messages) if (!isJSONRPCRequest(message)) accept(message, caller);
    if (requests.length === 0) return new Response(null, { status: 202 });
    const answers = requests.map(async (message) =>
      (await exchange(message, request, caller, "json")).json(),
    );
    return Response.json(await Promise.all(answers));
  };

  return async (body, request, caller) => {
    const version = request.headers.get("mcp-protocol-version")?.trim();
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
      return unknownVersion(version, body);
    if (Array.isArray(body)) return serveBatch(body, request, caller);
    if (isJSONRPCRequest(body)) return exchange(body, request, caller, modeOf(caller));
    if (isJSONRPCNotification(body)) accept(body, caller);
    return new Response(null, { status: 202 });
  };
}

const nameOf = ({ principal, ip }: Caller, id: string | number) =>
  `${principal.actor.keyId} ${ip} ${typeof id} ${id}`;

function modeOf({ takesStream, takesJson }: Caller): PerRequestResponseMode {
  if (!takesStream) return "json";
  return takesJson ? "auto" : "sse";
}

function unknownVersion(version: string, body: unknown): Response {
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")})`;
  return jsonRpcError(400, -32_000, message, { id: requestIdOf(body) });
}
