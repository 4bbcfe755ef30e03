import { call, filePath, type Label, newFile, upload } from "./label.ts";

/** What came of the requests of one label. */
export type Tally = {
  answered: number;
  /** By what went wrong: a status, or that nothing answered. */
  failed: Record<string, number>;
  /** Milliseconds, of those that were answered. */
  times: number[];
  /** Events that arrived on the open stream. */
  events: number;
};

export const newTally = (): Tally => ({ answered: 0, failed: {}, times: [], events: 0 });

/** People at work on one label, until they are stopped. */
export type Load = { tally: Tally; reset: () => Tally; stop: () => Promise<void> };

type Deed = (label: Label, target: Target) => Promise<unknown>;
type Target = { trackId: string; link: string };

const TUS = { "tus-resumable": "1.0.0" };

/** Each is one thing that people and programs do, and throws when it does not work. */
const DEEDS: readonly Deed[] = [
  (label) => upload(label),
  (label) => call(label, "GET", "/api/v1/tracks?limit=50"),
  playRange,
  openLink,
  resume,
  listTools,
  (label) => call(label, "POST", "/api/v1/tracks/search", { query: "slow and dark, no vocals" }),
];

/** Lets one person after the other do everything in turn, and one listen for live events. */
export function startLoad(label: Label, target: Target): Load {
  const abort = new AbortController();
  const load = { tally: newTally() };
  const work = async (first: number) => {
    for (let turn = first; !abort.signal.aborted; turn++)
      await attempt(load, () => (DEEDS[turn % DEEDS.length] as Deed)(label, target), abort.signal);
  };
  const people = [work(0), work(3), listen(label, load, abort.signal)];
  return {
    get tally() {
      return load.tally;
    },
    reset: () => {
      const before = load.tally;
      load.tally = newTally();
      return before;
    },
    stop: async () => {
      abort.abort();
      await Promise.all(people);
    },
  };
}

async function attempt(
  load: { tally: Tally },
  deed: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const from = performance.now();
  try {
    await deed();
    load.tally.answered++;
    load.tally.times.push(performance.now() - from);
  } catch (error) {
    if (signal.aborted) return;
    const what = /: (\d{3})$/.exec((error as Error).message)?.[1] ?? (error as Error).name;
    load.tally.failed[what] = (load.tally.failed[what] ?? 0) + 1;
    await Bun.sleep(100); // a person who tries again
  }
}

/** The first byte of every answer that is not a success ends the deed. */
function expectStatus(response: Response, status: number, what: string): void {
  if (response.status !== status) throw new Error(`${what}: ${response.status}`);
}

async function playRange(label: Label, { trackId }: Target): Promise<void> {
  const response = await label.ask(await filePath(label, trackId), {
    headers: { range: "bytes=1000-200999" },
  });
  expectStatus(response, 206, "range");
  if ((await response.arrayBuffer()).byteLength !== 200_000) throw new Error("A range was cut");
}

async function openLink(label: Label, { link }: Target): Promise<void> {
  const response = await label.ask(link);
  expectStatus(response, 200, "link");
  await response.text();
}

async function resume(label: Label): Promise<void> {
  const bytes = await newFile().arrayBuffer();
  const headers = { ...TUS, authorization: `Bearer ${label.token}` };
  const made = await label.ask("/app/uploads", {
    method: "POST",
    headers: {
      ...headers,
      "upload-length": String(bytes.byteLength),
      "upload-metadata": `filename ${Buffer.from("resumed.wav").toString("base64")}`,
    },
  });
  expectStatus(made, 201, "tus");
  const { pathname } = new URL(made.headers.get("location") ?? "", "http://x");
  const half = bytes.byteLength / 2;
  for (const from of [0, half]) {
    const part = await label.ask(pathname, {
      method: "PATCH",
      headers: {
        ...headers,
        "upload-offset": String(from),
        "content-type": "application/offset+octet-stream",
      },
      body: bytes.slice(from, from + half),
    });
    if (!part.ok) throw new Error(`tus: ${part.status}`);
    await part.arrayBuffer();
  }
}

async function listTools(label: Label): Promise<void> {
  const response = await label.ask("/mcp", {
    method: "POST",
    headers: {
      "x-api-key": label.key,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_track_count", arguments: {} },
    }),
  });
  expectStatus(response, 200, "mcp");
  const text = await response.text();
  if (!text.includes('"count')) throw new Error("The tool did not answer");
}

/** Listens for live events, and opens the stream again when it ends, as the console does. */
async function listen(label: Label, load: { tally: Tally }, stop: AbortSignal): Promise<void> {
  while (!stop.aborted)
    try {
      const response = await label.ask("/app/events", {
        headers: { authorization: `Bearer ${label.token}` },
        signal: stop,
      });
      expectStatus(response, 200, "events");
      for await (const chunk of response.body ?? [])
        load.tally.events += new TextDecoder().decode(chunk).split("data: ").length - 1;
    } catch {
      if (!stop.aborted) await Bun.sleep(200);
    }
}
