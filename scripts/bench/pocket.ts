import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import { renditions } from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { closeLibrary } from "../../src/library.ts";
import { getPersonByEmail } from "../../src/modules/people/accounts/service.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const TRACKS = 1000;
const QUICK = 10;
const LISTS = 2;
const SAMPLES = 40;
const AIM_MS = 50;
const ADDRESS = "http://127.0.0.1:4747";
const FILES = { opus: "ogg", aac: "m4a" } as const;

/** Measures how long a device is in bringing a thousand kept tracks up to date, of which nothing changed. */
export async function benchPocket({ quick }: { quick: boolean }): Promise<Figure[]> {
  const count = TRACKS / (quick ? QUICK : 1);
  const deps = openLibraryIn(temporaryFolder("bench-pocket"));
  const { accountId } = await createOwner(deps);
  const trackIds = addAnalysedTracks(deps, accountId, count);
  addRenditions(deps);
  const { token } = beginSession(deps, getPersonByEmail(deps, "bench@example.com"), {
    ip: "127.0.0.1",
    userAgent: null,
  });
  const { front, usage } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const post = async (path: string, body: object): Promise<string> => {
    const headers = {
      cookie: `dubplate_session=${token}`,
      origin: ADDRESS,
      "content-type": "application/json",
    };
    const request = new Request(ADDRESS + path, { method: "POST", headers, body: JSON.stringify(body) });
    const response = await front(request, "127.0.0.1");
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 200)}`);
    return text;
  };
  const wants: object[] = [];
  for (let list = 0; list < LISTS; list++) {
    const part = trackIds.slice((list * count) / LISTS, ((list + 1) * count) / LISTS);
    const made = await post("/app/playlists", { name: `Keep ${list}`, trackIds: part });
    wants.push({ entity: "playlist", id: JSON.parse(made).data.id });
  }
  const { id } = JSON.parse(await post("/app/pocket", { name: "Bench" })).data;
  const sync = (has: object[]) =>
    post(`/app/pocket/${id}/sync?accept=audio/ogg,audio/mp4`, { wants, has, bytes: 1 });
  const first = JSON.parse(await sync([])).data.tracks as {
    versionId: string;
    audio: { etag: string } | null;
  }[];
  if (first.length !== count || first.some(({ audio }) => audio === null))
    throw new Error("Not every track can be kept");
  const has = first.map(({ versionId, audio }) => ({ versionId, etag: audio?.etag }));
  const times: [number[], number[]] = [[], []];
  const waits: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const beganAt = performance.now();
    const ended = watchTurns();
    const text = await sync(has);
    const between = performance.now();
    waits.push(await ended());
    const writingAt = performance.now();
    JSON.stringify(JSON.parse(text));
    times[0].push(between - beganAt);
    times[1].push(performance.now() - writingAt);
  }
  usage.flush();
  closeLibrary(deps);
  const [took, asJson] = [median(times[0]), median(times[1])];
  return [
    {
      what: `${count} kept tracks in ${LISTS} playlists brought up to date, of which nothing changed`,
      figure: `${took.toFixed(1)} ms`,
      yardstick: `its answer read and written as JSON ${asJson.toFixed(1)} ms`,
      aim: atMost(took, AIM_MS, "ms"),
    },
    { what: "the longest that others wait meanwhile", figure: `${median(waits).toFixed(1)} ms` },
  ];
}

/** Watches how long others wait; the function returned ends it and says how long the longest wait was. */
function watchTurns() {
  let isOver = false;
  let [longest, lastAt] = [0, performance.now()];
  const turn = () => {
    longest = Math.max(longest, performance.now() - lastAt);
    lastAt = performance.now();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return async () => {
    isOver = true;
    await new Promise((resolve) => setImmediate(resolve));
    return longest;
  };
}

/** Every track has both renditions, as one that came as WAV has. */
function addRenditions({ db, settings }: Deps): void {
  const folder = join(settings.dataDir, "renditions");
  mkdirSync(folder, { recursive: true });
  transact(db, (tx) => {
    for (const { sha256 } of tx.$client.query<{ sha256: string }, []>("SELECT sha256 FROM versions").all())
      for (const encoding of ["opus", "aac"] as const) {
        writeFileSync(join(folder, `${sha256}.${FILES[encoding]}`), encoding);
        tx.insert(renditions).values({ sha256, encoding, sizeBytes: encoding.length, createdAt: 1 }).run();
      }
  });
}
