import { Webhook } from "standardwebhooks";
import type { Random } from "../../src/demo/dsp/random.ts";

/** How a receiver treats its requests until it is calmed. */
export const MOODS = ["steady", "errors", "hangs", "resets", "redirects", "dribbles", "restarts"] as const;
export type Mood = (typeof MOODS)[number];

/** A complete request. */
export type Received = {
  eventId: string;
  deliveryId: string;
  text: string;
  isSigned: boolean;
  /** True when it was answered with success; otherwise it must come again. */
  isTaken: boolean;
};

/** A receiver of webhooks. */
export type Receiver = {
  mood: Mood;
  port: number;
  received: Received[];
  /** Set once the server has created it. */
  secret: string;
  /** Answers every request with success from now on. */
  calm: () => void;
  /** Stops and listens again on the same port, like a program that is restarted. */
  restart: (awayMs: number) => Promise<void>;
  stop: () => void;
};

type Connection = { bytes: Buffer };
type Socket = Bun.Socket<Connection>;

const DRIBBLE_MS = 5;
/** Where redirects lead. No request may ever arrive here. */
export const DECOY = "/decoy";

/** Starts a receiver on its own port. It implements HTTP by hand, because a library cannot misbehave like this. */
export function startReceiver(mood: Mood, random: Random): Receiver {
  let isCalm = false;
  const receiver: Receiver = {
    mood,
    port: 0,
    received: [],
    secret: "",
    calm: () => {
      isCalm = true;
    },
    async restart(awayMs) {
      server.stop(true);
      await Bun.sleep(awayMs);
      server = listen(receiver.port, take);
    },
    stop: () => server.stop(true),
  };
  const take = (socket: Socket, head: string, text: string) => {
    const delivery = readDelivery(receiver.secret, head, text);
    const isTaken = answer(socket, isCalm ? "steady" : mood, random);
    receiver.received.push({ ...delivery, isTaken });
  };
  let server = listen(0, take);
  receiver.port = server.port;
  return receiver;
}

function listen(port: number, take: (socket: Socket, head: string, text: string) => void) {
  return Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        socket.data = { bytes: Buffer.alloc(0) };
      },
      data(socket, chunk) {
        socket.data.bytes = Buffer.concat([socket.data.bytes, chunk]);
        const request = cutRequest(socket.data);
        if (request) take(socket, request.head, request.text);
      },
    },
  });
}

/** Takes the next complete request; a connection has only one under way at a time. */
function cutRequest(connection: Connection): { head: string; text: string } | undefined {
  const end = connection.bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = connection.bytes.toString("latin1", 0, end);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
  if (connection.bytes.length < end + 4 + length) return undefined;
  const text = connection.bytes.toString("utf8", end + 4, end + 4 + length);
  connection.bytes = connection.bytes.subarray(end + 4 + length);
  return { head, text };
}

function readDelivery(secret: string, head: string, text: string): Omit<Received, "isTaken"> {
  const lines = head.split("\r\n").slice(1);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const isDecoy = head.includes(DECOY);
  return {
    eventId: headers["x-service-event-id"] ?? "",
    deliveryId: headers["x-service-delivery-id"] ?? "",
    text,
    isSigned: !isDecoy && isSigned(secret, text, headers),
  };
}

function isSigned(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    const { id } = new Webhook(secret).verify(text, headers) as { id: string };
    return id === headers["webhook-id"] && id === headers["x-service-event-id"];
  } catch {
    return false;
  }
}

const OK = "HTTP/1.1 204 No Content\r\n\r\n";
const ERROR = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops";
const REDIRECT = `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${DECOY}\r\nContent-Length: 0\r\n\r\n`;

/** Answers a request. Returns true when the answer was a success. */
function answer(socket: Socket, mood: Mood, random: Random): boolean {
  const isBad = random() < 0.4 && mood !== "steady" && mood !== "restarts" && mood !== "dribbles";
  if (isBad) misbehave(socket, mood);
  else if (mood === "dribbles") dribble(socket, 0);
  else socket.write(OK);
  return !isBad;
}

/** Answers in the way of the receiver's mood; one that hangs sends nothing. */
function misbehave(socket: Socket, mood: Mood): void {
  if (mood === "resets") socket.terminate();
  if (mood === "errors") socket.write(ERROR);
  if (mood === "redirects") socket.write(REDIRECT);
}

function dribble(socket: Socket, sent: number): void {
  if (sent >= OK.length || socket.readyState !== 1) return;
  socket.write(OK.slice(sent, sent + 1));
  setTimeout(dribble, DRIBBLE_MS, socket, sent + 1);
}
