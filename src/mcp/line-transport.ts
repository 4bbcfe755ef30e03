import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { SECOND_MS } from "../kernel/time.ts";

/** Time that calls in hand are given once the client has said all it had to say. */
const DRAIN_MS = 5 * SECOND_MS;
/** A picture in base64 and what stands around it. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;
const PARSE_ERROR = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_700, message: "Parse error: not a line of JSON" },
};

/** Messages as lines; `ended` resolves when the input is over and what was asked has been answered. */
export type LineTransport = Transport & { ended: Promise<void> };

/**
 * Makes a transport of lines of JSON, one message a line, as stdio has them. A client that pipes its requests in and
 * closes the pipe is answered nevertheless, unless a call takes longer than five seconds. Runs on Node 20 as well.
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

/** Remembers what is to be answered. */
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
    // Anything else that JSON-RPC does not allow is answered by the protocol's own checks.
    return typeof value === "object" && value !== null ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Lines of a stream of UTF-8, empty ones left out. @throws RangeError for a line without end. */
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
