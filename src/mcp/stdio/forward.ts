import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { eventsOf } from "./event-stream.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const REFUSED = -32_000;

/** A running server, and the API key for calls to it. */
export type Upstream = { url: string; apiKey: string };

type Message = {
  id?: RequestId;
  method?: string;
  params?: {
    name?: unknown;
    uri?: unknown;
    requestId?: RequestId;
    clientInfo?: { name?: unknown; version?: unknown };
    _meta?: Record<string, unknown>;
  };
  result?: { protocolVersion?: unknown };
};

/**
 * Forwards every message of a transport to a running server, and the answers back. When the client cancels a
 * request, its connection is closed here, and the server stops the work.
 */
export function forward(transport: Transport, { url, apiKey }: Upstream): void {
  const running = new Map<RequestId, AbortController>();
  // For the 2025 protocol: agreed once, then sent with every request.
  let agreedVersion: string | undefined;
  let userAgent: string | undefined;

  const send = async (message: JSONRPCMessage) => {
    const { result } = message as Message;
    if (typeof result?.protocolVersion === "string") agreedVersion = result.protocolVersion;
    await transport.send(message);
  };

  const ask = async (message: Message, signal: AbortSignal) => {
    if (message.method === "initialize") userAgent = userAgentOf(message);
    const response = await fetch(url, {
      method: "POST",
      signal,
      headers: {
        ...headersOf(message, agreedVersion),
        ...(userAgent !== undefined && { "user-agent": userAgent }),
        "x-api-key": apiKey,
      },
      body: JSON.stringify(message),
    });
    if (message.id === undefined) return void (await response.body?.cancel());
    let isAnswered = false;
    for await (const answer of answersOf(response, message.id)) {
      isAnswered ||= "id" in answer && answer.id === message.id;
      await send(answer);
    }
    if (!isAnswered) await send(failure(message.id, "The server closed the connection before it answered"));
  };

  const pass = async (message: Message) => {
    const abort = new AbortController();
    if (message.id !== undefined) running.set(message.id, abort);
    try {
      await ask(message, abort.signal);
    } catch (error) {
      if (message.id === undefined || abort.signal.aborted) return;
      await send(failure(message.id, `Dubplate does not answer at ${url}: ${(error as Error).message}`));
    } finally {
      if (message.id !== undefined) running.delete(message.id);
    }
  };

  transport.onmessage = (received) => {
    const message = received as Message;
    if (message.method !== "notifications/cancelled") return void pass(message);
    if (message.params?.requestId !== undefined) running.get(message.params.requestId)?.abort();
  };
  transport.onclose = () => {
    for (const abort of running.values()) abort.abort();
  };
}

/** Yields the answers to a request as messages, in whatever form the server sent them. */
async function* answersOf(response: Response, id: RequestId): AsyncGenerator<JSONRPCMessage> {
  if (response.ok && response.body && response.headers.get("content-type")?.startsWith("text/event-stream")) {
    for await (const data of eventsOf(response.body)) yield JSON.parse(data);
    return;
  }
  const body = (await response.json().catch(() => ({}))) as {
    jsonrpc?: string;
    error?: object;
    message?: string;
  };
  // A refusal at the door has no id, or is not JSON-RPC at all.
  if (body.jsonrpc !== "2.0") yield failure(id, body.message ?? `The server answered ${response.status}`);
  else yield { ...body, id } as JSONRPCMessage;
}

const failure = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: REFUSED, message },
});

/** Returns the headers that the 2026 protocol requires, or the version agreed under the 2025 protocol. */
function headersOf({ method, params }: Message, agreedVersion: string | undefined): Record<string, string> {
  const own = params?._meta?.[VERSION_KEY];
  const version = typeof own === "string" ? own : agreedVersion;
  const name = params?.name ?? params?.uri;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(version !== undefined && method !== "initialize" && { "mcp-protocol-version": version }),
    ...(typeof own === "string" && method !== undefined && { "mcp-method": method }),
    ...(typeof own === "string" && typeof name === "string" && { "mcp-name": headerText(name) }),
  };
}

/** Returns how the client names itself, for the header in which the server looks for it. */
function userAgentOf({ params }: Message): string | undefined {
  const { name, version } = params?.clientInfo ?? {};
  if (typeof name !== "string") return undefined;
  const agent = `${name}/${version ?? ""}`.replace(/[^\x20-\x7e]/g, "").slice(0, 200);
  return /[a-z]/i.test(name) ? agent : undefined;
}

/** Encodes a value that a header cannot carry as marked base64. */
function headerText(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
