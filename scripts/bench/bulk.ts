import { join } from "node:path";
import { store } from "../../db/schema.ts";
import { closeLibrary } from "../../src/library.ts";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { atMost, type Figure } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { startPacedReads } from "./paced-reads.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./processes.ts";

const TRACKS = 5000;
const QUICK_TRACKS = 1000;
const AIM_SECONDS = 10;
const AIM_FIRST_MS = 1000;
const AIM_WAIT_MS = 100;
const READERS = 4;

/** What is changed; `shows` says by which filter a changed track is found. */
const CHANGES = [
  {
    what: "artist",
    doing: { details: { artist: "Zoë Bulk" } },
    shows: "q=zoe%20bulk",
  },
  {
    what: "artist, album, label, year, genre, notes",
    doing: {
      details: {
        artist: "Yan Bulk",
        album: "Everything",
        recordLabel: "Night Bus Records",
        year: "2026",
        trackGenre: "House",
        notes: "Cleared for sync",
      },
    },
    shows: "q=yan%20bulk",
  },
  { what: "visible", doing: { visible: false }, shows: "visible=false" },
  { what: "a tag", doing: { addTags: ["For Radio"] }, shows: "tags=For%20Radio" },
] as const;

/**
 * Changes a whole library at once over HTTP, as the console does, while it listens to changes and clients read. Measures
 * the time until the first track is seen changed and until all are, how long the readers wait, and the undo.
 */
export async function benchBulk({ quick }: { quick: boolean }): Promise<Figure[]> {
  const tracks = quick ? QUICK_TRACKS : TRACKS;
  const folder = temporaryFolder("bench-bulk");
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  // The tracks are rows without a file, which a start would take for a disk that is not mounted.
  deps.db.update(store).set({ hasAudio: false }).run();
  const owner = await createOwner(deps);
  addAnalysedTracks(deps, owner.accountId, tracks);
  const account = getAccountByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  const call = caller(server.address, token);
  const live = new AbortController();
  const listening = fetch(`${server.address}/app/events`, { headers: cookie(token), signal: live.signal });
  const reads = await startPacedReads({
    port: server.port,
    key: owner.key,
    paths: ["/api/v1/tracks?limit=50"],
    clients: READERS,
  });
  void listening.then((response) => drain(response)).catch(() => undefined);
  const figures: Figure[] = [];
  for (const { what, doing, shows } of CHANGES) {
    reads.reset();
    const startedAt = performance.now();
    const changing = call("POST", "/app/tracks/bulk", { where: { filter: {} }, do: doing });
    const firstMs = await firstSeen(call, shows, startedAt);
    const { undoId, changed } = await changing;
    const seconds = (performance.now() - startedAt) / 1000;
    const waits = reads.times();
    const undoneAt = performance.now();
    await call("POST", `/app/undo/${undoId}`);
    const undoSeconds = (performance.now() - undoneAt) / 1000;
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? Number.NaN;
    figures.push(
      {
        what: `${what}: ${changed} tracks`,
        figure: `${seconds.toFixed(1)} s, ${((seconds * 1000) / tracks).toFixed(2)} ms a track`,
        aim: atMost(seconds, AIM_SECONDS, "s"),
      },
      {
        what: "  first track seen changed after",
        figure: `${firstMs.toFixed(0)} ms`,
        aim: atMost(firstMs, AIM_FIRST_MS, "ms"),
      },
      {
        what: "  a page of tracks meanwhile, 99 % within",
        figure: `${p99.toFixed(0)} ms`,
        aim: atMost(p99, AIM_WAIT_MS, "ms"),
      },
      { what: "  undone", figure: `${undoSeconds.toFixed(1)} s`, aim: atMost(undoSeconds, AIM_SECONDS, "s") },
    );
  }
  reads.stop();
  live.abort();
  await server.stop();
  return figures;
}

type Call = (
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
) => Promise<any>;

const cookie = (token: string) => ({ cookie: `dubplate_session=${token}` });

function caller(origin: string, token: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...cookie(token), origin, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    const answer = (await response.json()) as { data: object; paging?: object };
    return { ...answer.data, paging: answer.paging };
  };
}

async function firstSeen(call: Call, shows: string, startedAt: number): Promise<number> {
  for (;;) {
    const { paging } = await call("GET", `/app/tracks?limit=1&${shows}`);
    if (paging.total > 0) return performance.now() - startedAt;
    await Bun.sleep(10);
  }
}

async function drain({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  while (reader && !(await reader.read()).done);
}
