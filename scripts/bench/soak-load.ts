import { randomFrom } from "../../src/demo/dsp/random.ts";

/** A mixed load of one account: the requests, their targets, and the duration. */
export type SoakLoadOptions = {
  address: string;
  key: string;
  connections: number;
  durationMs: number;
  /** Tracks to read. The first ones, one per connection, are also written to. */
  trackIds: readonly string[];
  queries: readonly object[];
  /** Addresses of audio to stream, and the file whose bytes must arrive. */
  streams: readonly { path: string; file: string }[];
};

/** The results of one kind of request. Times run from the request to the complete answer. */
export type SoakKind = { kind: string; count: number; p50Ms: number; p99Ms: number };
export type SoakLoadResult = { kinds: SoakKind[]; errors: number; firstErrors: string[] };

/** How many of a hundred requests are of each kind. */
const SHARES = { read: 70, search: 5, write: 10, stream: 15 } as const;
type Kind = keyof typeof SHARES;
const RANGE_BYTES = 256 * 1024;
const LIST_LIMIT = 50;
const ERRORS_TOLD = 5;

/** Sends requests on every connection, one after the other, until the time is up, and checks every answer. */
export async function soakLoad(options: SoakLoadOptions): Promise<SoakLoadResult> {
  const times: Record<Kind, number[]> = { read: [], search: [], write: [], stream: [] };
  const errors: string[] = [];
  const until = performance.now() + options.durationMs;
  const files = await Promise.all(options.streams.map(({ file }) => Bun.file(file).bytes()));
  const work = async (connection: number) => {
    const random = randomFrom(`soak ${connection}`);
    for (let turn = 0; performance.now() < until; turn++) {
      const kind = kindAt(random() * 100);
      const startedAt = performance.now();
      const wrong = await ask(kind, { options, files, connection, turn, random: random() }).catch(String);
      times[kind].push(performance.now() - startedAt);
      if (wrong) errors.push(`${kind}: ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, (_, connection) => work(connection)));
  const kinds = Object.entries(times).map(([kind, all]) => {
    const sorted = all.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    return { kind, count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
  return { kinds, errors: errors.length, firstErrors: errors.slice(0, ERRORS_TOLD) };
}

function kindAt(percent: number): Kind {
  let below = 0;
  for (const [kind, share] of Object.entries(SHARES)) {
    below += share;
    // The keys of SHARES are the kinds.
    if (percent < below) return kind as Kind;
  }
  return "read";
}

type Turn = {
  options: SoakLoadOptions;
  files: readonly Uint8Array[];
  connection: number;
  turn: number;
  random: number;
};

/** Makes a request; returns what is wrong with its answer, or undefined. */
function ask(kind: Kind, turn: Turn): Promise<string | undefined> {
  if (kind === "search") return search(turn);
  if (kind === "write") return write(turn);
  if (kind === "stream") return stream(turn);
  return turn.turn % 4 === 0 ? list(turn) : single(turn);
}

// biome-ignore lint/suspicious/noExplicitAny: every field that is read is compared with what it must be
type Json = any;

async function call({ options }: Turn, path: string, init: RequestInit = {}): Promise<Json> {
  const headers = { "x-api-key": options.key, "content-type": "application/json" };
  const response = await fetch(`${options.address}${path}`, { ...init, headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function single(turn: Turn): Promise<string | undefined> {
  const { trackIds } = turn.options;
  const id = trackIds[Math.floor(turn.random * trackIds.length)];
  const { data } = await call(turn, `/api/v1/tracks/single?id=${id}`);
  return data.track.id === id ? undefined : `${data.track.id} came instead of ${id}`;
}

async function list(turn: Turn): Promise<string | undefined> {
  const { data } = await call(turn, `/api/v1/tracks?limit=${LIST_LIMIT}`);
  const ids = new Set(data.map(({ id }: { id: string }) => id));
  return ids.size === LIST_LIMIT ? undefined : `${ids.size} tracks came instead of ${LIST_LIMIT}`;
}

async function search(turn: Turn): Promise<string | undefined> {
  const { queries } = turn.options;
  const body = JSON.stringify(queries[Math.floor(turn.random * queries.length)]);
  const { data } = await call(turn, "/api/v1/tracks/search", { method: "POST", body });
  const ids = new Set(data.results.map(({ id }: { id: string }) => id));
  return data.count === ids.size && ids.size > 0
    ? undefined
    : `${ids.size} different results and a count of ${data.count}`;
}

/** Writes to a track and reads it back. Each connection writes to its own track. */
async function write(turn: Turn): Promise<string | undefined> {
  const id = turn.options.trackIds[turn.connection];
  const notes = `Turn ${turn.turn}`;
  const body = JSON.stringify({ notes });
  await call(turn, `/api/v1/tracks/details?id=${id}`, { method: "PATCH", body });
  const { data } = await call(turn, `/api/v1/tracks/single?id=${id}`);
  const read = data.track.audio_profile.notes;
  return read === notes ? undefined : `${JSON.stringify(read)} was read after ${JSON.stringify(notes)}`;
}

async function stream({ options, files, random }: Turn): Promise<string | undefined> {
  const index = Math.floor(random * options.streams.length);
  const [{ path } = { path: "" }, file = new Uint8Array(0)] = [options.streams[index], files[index]];
  const from = Math.floor((random * 997) % Math.max(1, file.length - RANGE_BYTES));
  const expected = file.subarray(from, from + RANGE_BYTES);
  const range = `bytes=${from}-${from + expected.length - 1}`;
  const response = await fetch(`${options.address}${path}`, { headers: { range } });
  const bytes = await response.bytes();
  if (response.status !== 206) return `${path} was answered ${response.status}`;
  return Buffer.compare(bytes, expected) === 0 ? undefined : `${range} of ${path} is not what was uploaded`;
}
