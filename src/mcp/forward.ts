import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { eventsOf } from "./event-stream.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const REFUSED = -32_000;

/** A running server, and the key that its calls are made with. */
export type Upstream = { url: string; apiKey: string };

type Message = {
  id?: RequestId;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: RequestId; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: unknown };
};

/**
 * Hands every message of a transport to a running server and its answers back. What the client cancels is dropped here:
 * the server sees the connection close, and stops.
 */
export function forward(transport: Transport, { url, apiKey }: Upstream): void {
  const running = new Map<RequestId, AbortController>();
  // Of the 2025 line: agreed on once, then said with every request.
  let agreedVersion: string | undefined;

  const send = async (message: JSONRPCMessage) => {
    const { result } = message as Message;
    if (typeof result?.protocolVersion === "string") agreedVersion = result.protocolVersion;
    await transport.send(message);
  };

  const ask = async (message: Message, signal: AbortSignal) => {
    const response = await fetch(url, {
      method: "POST",
      signal,
      headers: { ...headersOf(message, agreedVersion), "x-api-key": apiKey },
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

/** The answers to a request as messages, whatever form the server gave them. */
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
  // A refusal at the door knows no id, or is no JSON-RPC at all.
  if (body.jsonrpc !== "2.0") yield failure(id, body.message ?? `The server answered ${response.status}`);
  else yield { ...body, id } as JSONRPCMessage;
}

const failure = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: REFUSED, message },
});

/** What the 2026 line says in headers as well, or the version that the 2025 line agreed on. */
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

/** A value that a header cannot carry goes in base64, marked as such. */
function headerText(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
