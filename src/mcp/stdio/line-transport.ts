import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { SECOND_MS } from "../../kernel/time.ts";

/** How long running calls may take after the client closed its input. */
const DRAIN_MS = 5 * SECOND_MS;
/** A picture in base64 and the rest of its message. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;
const PARSE_ERROR = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_700, message: "Parse error: not a line of JSON" },
};

/** Messages as lines. `ended` resolves when the input has ended and every request is answered. */
export type LineTransport = Transport & { ended: Promise<void> };

/**
 * Makes a transport for stdio: one JSON message per line. A client that pipes in its requests and closes the pipe
 * still gets its answers, unless a call takes longer than five seconds. Runs on Node 20 too.
 */
export function lineTransport(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<void>,
): LineTransport {
  const pending = new Set<RequestId>();
  let idle: () => void = () => undefined;
  const answered = (id: RequestId) => {
    pending.delete(id);
    if (pending.size === 0) idle();
  };
  const drained = () =>
    new Promise<void>((resolve) => {
      if (pending.size === 0) return resolve();
      const timer = setTimeout(resolve, DRAIN_MS);
      idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const receive = async (line: string) => {
    const message = parse(line);
    if (!message) return write(`${JSON.stringify(PARSE_ERROR)}\n`);
    note(message, pending, answered);
    transport.onmessage?.(message);
  };
  const read = async () => {
    try {
      for await (const line of linesOf(input)) await receive(line);
      await drained();
    } catch (error) {
      transport.onerror?.(error as Error);
    }
    await transport.close();
  };

  let isClosed = false;
  let end: () => void = () => undefined;
  const transport: LineTransport = {
    ended: new Promise((resolve) => {
      end = resolve;
    }),
    start: async () => void read(),
    send: async (message) => {
      if (isClosed) return;
      await write(`${JSON.stringify(message)}\n`);
      if (!("method" in message) && message.id !== undefined) answered(message.id);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      transport.onclose?.();
      end();
    },
  };
  return transport;
}

/** Remembers the requests that need an answer. */
function note(message: JSONRPCMessage, pending: Set<RequestId>, answered: (id: RequestId) => void): void {
  if (!("method" in message)) return;
  if ("id" in message) pending.add(message.id);
  // A cancelled request is not answered.
  const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
  if (typeof cancelled === "string" || typeof cancelled === "number") answered(cancelled);
}

function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // The protocol's own checks answer anything else that JSON-RPC does not allow.
    return typeof value === "object" && value !== null ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Yields the lines of a UTF-8 stream, without empty ones. @throws RangeError when a line is too long. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS) throw new RangeError("A message is too long");
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (rest.trim() !== "") yield rest;
}
