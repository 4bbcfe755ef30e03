import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { mountDisk } from "../support/small-disk.ts";

const EMAIL = "me@example.com";
const PASSWORD = "long enough 1";
const MAIN = join(import.meta.dir, "../../src/main.ts");
const SONG_SEC = 40;

/** A disk that a test can fill and make room on, for a data folder and the server on it. */
type Place = {
  settings: Record<string, string>;
  command: readonly string[];
  fill: (pid: number) => void;
  makeRoom: (pid: number) => void;
  remove: () => void;
  /** What the program can give back; left out: a file that may not grow does not grow when another one is smaller. */
  reserve?: string;
};

function onSmallDisk(): Place | undefined {
  const disk = mountDisk("28m");
  return (
    disk && {
      settings: { DATA_DIR: disk.path },
      reserve: join(disk.path, "reserve"),
      command: [process.execPath, MAIN],
      fill: () => disk.fill(),
      makeRoom: () => disk.makeRoom(),
      remove: disk.unmount,
    }
  );
}

/** Files that may not grow: what a quota does, for any user and without a disk of its own. */
function withFileLimit(): Place | undefined {
  const [bash, prlimit] = [Bun.which("bash"), Bun.which("prlimit")];
  if (!bash || !prlimit) {
    console.log("Not checked with files that may not grow: this needs bash and prlimit");
    return undefined;
  }
  const limit = (pid: number, bytes: string) => {
    const { exitCode } = Bun.spawnSync([prlimit, "--pid", String(pid), `--fsize=${bytes}:unlimited`]);
    expect(exitCode).toBe(0);
  };
  return {
    settings: {},
    command: [bash, "-c", 'trap "" XFSZ; exec "$0" "$@"', process.execPath, MAIN],
    fill: (pid) => limit(pid, "4096"),
    makeRoom: (pid) => limit(pid, "unlimited"),
    remove: () => {},
  };
}

const song = (seed: number) =>
  new File([wavBytes([noise(8000, SONG_SEC, 0.5, seed)], 8000, 16)], `song ${seed}.wav`, {
    type: "audio/wav",
  });

const formOf = (field: string, file: File) => {
  const form = new FormData();
  form.append(field, file);
  return form;
};

type Asked = readonly [method: string, path: string, body?: object];

/** What the library of a test holds. */
type Ids = {
  trackId: string;
  versionId: string;
  list: string;
  brief: string;
  link: string;
  original: string;
};

/** What must go on, whatever the disk says. */
const readsOf = ({ trackId, list, original, link }: Ids): readonly Asked[] => [
  ["GET", "/health"],
  ["GET", "/api/v1/tracks"],
  ["GET", `/api/v1/tracks/single?id=${trackId}`],
  ["GET", `/api/v1/tracks/${trackId}/versions`],
  ["GET", `/api/v1/playlists/single/${list}`],
  ["GET", "/api/v1/analytics/dashboard"],
  ["GET", "/auth/session"],
  ["GET", "/app/notifications"],
  ["GET", original],
  ["GET", link],
];

/** Something of everything that writes. Each `round` writes something else. */
const writesOf = ({ trackId, list, brief }: Ids, round: number): readonly Asked[] => [
  ["POST", "/api/v1/tracks/upload", formOf("files", song(10 + round))],
  ["POST", `/api/v1/tracks/${trackId}/versions`, formOf("file", song(100 + round))],
  ["PATCH", `/api/v1/tracks/details?id=${trackId}`, { title: `Title ${round}`, notes: "n".repeat(5000) }],
  ["PATCH", `/api/v1/tracks/tags?id=${trackId}`, { moods: ["Dark"] }],
  ["POST", "/api/v1/tracks/auto-tag", { trackId }],
  ["POST", "/api/v1/tracks/search", { query: "dark and slow" }],
  ["POST", "/api/v1/playlists", { name: `List ${round}`, trackIds: [trackId], description: "d".repeat(500) }],
  ["PATCH", `/api/v1/playlists/${list}`, { name: `Renamed ${round}` }],
  ["POST", `/api/v1/playlists/${list}/tracks`, { trackIds: [trackId] }],
  ["POST", "/api/v1/composers", { fullName: `Ada ${round}`, email: `ada${round}@example.com` }],
  ["POST", "/auth/login", { email: EMAIL, password: PASSWORD }],
  ["POST", "/integration/api-keys", { name: `key ${round}` }],
  ["POST", `/app/tracks/${trackId}/comments`, { text: "c".repeat(1000) }],
  ["PUT", `/app/saves/track/${trackId}`],
  ["POST", "/app/shares", { playlistId: list }],
  ["PATCH", `/app/briefs/${brief}`, { name: `Late ${round}` }],
  ["POST", "/app/notifications/read"],
];

/** Calls the API with a key, and everything else with a session, and keeps what was answered. */
function createClient(address: string, { key, session }: { key: string; session: string }) {
  const answers: { asked: string; status: number; text: string }[] = [];
  const headersOf = (path: string, body: object | undefined): Record<string, string> => ({
    ...(path.startsWith("/api/") ? { "x-api-key": key } : { authorization: `Bearer ${session}` }),
    ...(body && !(body instanceof FormData) && { "content-type": "application/json" }),
  });
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; data: Json }> => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: headersOf(path, body),
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    answers.push({ asked: `${method} ${path}`, status: response.status, text: isJson ? text : "" });
    return { status: response.status, data: isJson ? JSON.parse(text).data : undefined };
  };
  return {
    call,
    /** Asks one after the other; returns what was asked with each status. */
    askAll: async (all: readonly Asked[]): Promise<[asked: string, status: number][]> => {
      const statuses: [string, number][] = [];
      for (const [method, path, body] of all)
        statuses.push([`${method} ${path}`, (await call(method, path, body)).status]);
      return statuses;
    },
    answered: (isMeant: (status: number) => boolean) => answers.filter(({ status }) => isMeant(status)),
  };
}

/** Puts a track with two versions, a playlist, a link and a brief into the library. */
async function makeLibrary(call: ReturnType<typeof createClient>["call"]): Promise<Ids> {
  const uploaded = await call("POST", "/api/v1/tracks/upload", formOf("files", song(1)));
  const trackId = uploaded.data.uploaded[0].id;
  const versions = `/api/v1/tracks/${trackId}/versions`;
  const added = await call("POST", versions, formOf("file", song(2)));
  const { data: made } = await call("POST", "/api/v1/playlists", { name: "Everything", trackIds: [trackId] });
  const { data: shared } = await call("POST", "/app/shares", { trackId, allowDownload: true });
  const { data: brief } = await call("POST", "/app/briefs", { name: "Late", status: "open" });
  const { data: listed } = await call("GET", versions);
  // The first version is played no more, so that it can be deleted.
  const [first] = listed.versions;
  return {
    trackId,
    versionId: first.id,
    list: made.playlist.id,
    brief: brief.id,
    link: shared.url,
    original: listed.versions.find(({ id }: { id: string }) => id === added.data.id).downloadUrl,
  };
}

describe.each([
  ["a disk of 28 MB that is filled to the last byte", onSmallDisk],
  ["a quota that is used up", withFileLimit],
])("%s", (_, make) => {
  const place = make();
  let program: ReturnType<typeof createProgram> | undefined;
  afterEach(async () => {
    await program?.close();
    place?.remove();
  });

  test.skipIf(!place)("stops no reading, answers no 500, and is forgotten when there is room", async () => {
    if (!place) return;
    const settings = { RATE_LIMIT: "0", FFMPEG_PATH: "", ...place.settings };
    program = createProgram(settings, { command: place.command });
    await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", PASSWORD]);
    const { rows: keys } = await program.run(["key", "create", "--email", EMAIL, "--name", "K"]);
    const { rows: sessions } = await program.run(["session", "create", "--email", EMAIL]);
    const { address, child } = await program.serve();
    const log = new Response(child.stdout as ReadableStream).text();
    const credentials = { key: String(keys[0]?.key), session: String(sessions[0]?.token) };
    const { call, askAll, answered } = createClient(address, credentials);
    const ids = await makeLibrary(call);
    let round = 0;
    const writes = () => askAll(writesOf(ids, ++round));
    const readAll = async () =>
      expect((await askAll(readsOf(ids))).filter(([, status]) => status !== 200)).toEqual([]);
    await writes();
    expect(answered((status) => status >= 300)).toEqual([]);

    const { reserve } = place;
    // Made beside the first requests.
    if (reserve !== undefined) await until(async () => existsSync(reserve));
    place.fill(child.pid);
    const list = { name: "x", trackIds: [ids.trackId], description: "d".repeat(900) };
    await until(async () => (await call("POST", "/api/v1/playlists", list)).status === 507);
    // The first refusal gave the reserve back, so deleting works.
    const { status } = await call("DELETE", `/api/v1/tracks/${ids.trackId}/versions/${ids.versionId}`);
    expect(status).toBe(reserve === undefined ? 507 : 200);

    // Then the reserve is filled too.
    for (let turn = 0; turn < 40 && answered((each) => each === 507).length < 20; turn++) {
      place.fill(child.pid);
      await writes();
    }
    expect(answered((each) => each === 507).length).toBeGreaterThanOrEqual(20);
    expect(answered((each) => each >= 300 && each !== 507)).toEqual([]);
    await readAll();

    place.makeRoom(child.pid);
    expect((await writes()).filter(([, each]) => each >= 300)).toEqual([]);
    await readAll();
    const refusals = async () => (await call("GET", "/integration/usage?limit=200")).data.items.filter(is507);
    await until(async () => (await refusals()).length > 0);

    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect((await log).split("\n").filter((line) => line.includes('"A request failed"'))).toEqual([]);
  });
});

const is507 = ({ status }: { status: number }) => status === 507;

/** Asks again and again until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(1);
}
