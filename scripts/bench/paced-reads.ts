import { type ResponseReader, responseReader } from "./response-reader.ts";

/** Clients that read at a steady pace, as people and programs do, not as fast as possible. */
export type PacedReads = {
  /** Forgets the measurements so far. */
  reset: () => void;
  /** Returns the times from a request's last byte out to its answer's last byte in, in milliseconds, ascending. */
  times: () => number[];
  stop: () => void;
};

/** Pause between an answer and the same client's next request. */
const PAUSE_MS = 10;

type Connection = { reader: ResponseReader; sentAt: number };

/** Starts clients of a server on loopback, each with its own connection. */
export async function startPacedReads(options: {
  port: number;
  key: string;
  paths: readonly string[];
  clients: number;
}): Promise<PacedReads> {
  const { port, key, paths, clients } = options;
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n\r\n`),
  );
  let times: number[] = [];
  let next = 0;
  let isOver = false;
  const ask = (socket: Bun.Socket<Connection>) => {
    const request = requests[next++ % requests.length];
    if (!request || isOver) return;
    socket.data.sentAt = performance.now();
    socket.write(request);
  };
  const connect = () =>
    Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port,
      data: { reader: responseReader(), sentAt: 0 },
      socket: {
        open: ask,
        data(socket, chunk) {
          const { reader, sentAt } = socket.data;
          if (!reader.push(chunk) || isOver) return;
          if (reader.status() !== 200) throw new Error(`A read was answered ${reader.status()}`);
          times.push(performance.now() - sentAt);
          setTimeout(ask, PAUSE_MS, socket);
        },
        close() {
          if (!isOver) throw new Error("The server closed a connection");
        },
      },
    });
  const sockets = await Promise.all(Array.from({ length: clients }, connect));
  return {
    reset: () => {
      times = [];
    },
    times: () => times.toSorted((a, b) => a - b),
    stop() {
      isOver = true;
      for (const socket of sockets) socket.terminate();
    },
  };
}
