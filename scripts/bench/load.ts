import { type ResponseReader, responseReader } from "./response-reader.ts";

/**
 * A load of `GET`s or of tool `calls`. Each connection sends its next request as soon as it has the answer to the
 * last.
 */
export type LoadOptions = {
  port: number;
  key: string;
  paths: readonly string[];
  /** JSON-RPC tool calls, each with the tool's name and the body. */
  calls?: readonly { tool: string; body: string }[];
  connections: number;
  warmUpMs: number;
  durationMs: number;
};

/** The result of a load. Times run from the request's last byte out to the answer's last byte in. */
export type LoadResult = {
  requestsPerSec: number;
  p50Ms: number;
  p99Ms: number;
  /** Number of answers other than 200. */
  refused: number;
};

const BUCKET_MS = 0.02;
const BUCKETS = 250_000;

type Run = {
  counts: Uint32Array;
  done: number;
  refused: number;
  next: number;
  isCounting: boolean;
  isOver: boolean;
};
type Connection = { reader: ResponseReader; sentAt: number };

/** Runs a load against a server on loopback, over raw sockets: a cheap client distorts the figures least. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const requests = options.calls ? callsOf(options) : getsOf(options);
  const run: Run = {
    counts: new Uint32Array(BUCKETS),
    done: 0,
    refused: 0,
    next: 0,
    isCounting: false,
    isOver: false,
  };
  const sockets = await Promise.all(
    Array.from({ length: options.connections }, () => connect(options.port, requests, run)),
  );
  await Bun.sleep(options.warmUpMs);
  run.isCounting = true;
  const startedAt = performance.now();
  await Bun.sleep(options.durationMs);
  const elapsedSec = (performance.now() - startedAt) / 1000;
  run.isOver = true;
  for (const socket of sockets) socket.terminate();
  return {
    requestsPerSec: run.done / elapsedSec,
    p50Ms: percentile(run, 0.5),
    p99Ms: percentile(run, 0.99),
    refused: run.refused,
  };
}

const headOf = ({ port, key }: LoadOptions) => `Host: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n`;

const getsOf = (options: LoadOptions) =>
  options.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${headOf(options)}\r\n`));

/** Calls in the 2026 protocol version, whose headers repeat parts of the body. */
const callsOf = (options: LoadOptions) =>
  (options.calls ?? []).map(({ tool, body }) =>
    Buffer.from(
      `POST /mcp HTTP/1.1\r\n${headOf(options)}Content-Type: application/json\r\n` +
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n" +
        `Mcp-Method: tools/call\r\nMcp-Name: ${tool}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );

function connect(port: number, requests: readonly Buffer[], run: Run) {
  const ask = (socket: Bun.Socket<Connection>) => {
    const request = requests[run.next++ % requests.length];
    if (!request) throw new Error("A load needs a path");
    socket.data.sentAt = performance.now();
    // A request is far smaller than an empty socket buffer, so one write takes all of it.
    socket.write(request);
  };
  return Bun.connect<Connection>({
    hostname: "127.0.0.1",
    port,
    data: { reader: responseReader(), sentAt: 0 },
    socket: {
      open: ask,
      data(socket, chunk) {
        const { reader, sentAt } = socket.data;
        if (!reader.push(chunk) || run.isOver) return;
        if (run.isCounting) count(run, performance.now() - sentAt, reader.status());
        ask(socket);
      },
      close() {
        if (!run.isOver) throw new Error("The server closed a connection");
      },
    },
  });
}

function count(run: Run, elapsedMs: number, status: number): void {
  run.done++;
  if (status !== 200) run.refused++;
  const bucket = Math.min(BUCKETS - 1, Math.floor(elapsedMs / BUCKET_MS));
  run.counts[bucket] = (run.counts[bucket] ?? 0) + 1;
}

function percentile({ counts, done }: Run, share: number): number {
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= share * done;
  });
  return (bucket + 1) * BUCKET_MS;
}
