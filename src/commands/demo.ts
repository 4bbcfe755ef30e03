import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEMO_PIECES } from "../demo/pieces.ts";
import { renderPiece } from "../demo/render.ts";
import { programName } from "../library.ts";
import { startServer } from "../server.ts";
import { type CommandContext, RefusedError } from "./command.ts";

type Say = (text: string) => void;

const FOLDER = "./demo-library";
/** Marks a folder as one that this command may empty. */
const MARK = ".dubplate-demo";
const ACCOUNT = { email: "demo@example.com", password: "demo demo demo", name: "Demo" };
const PIECES_A_REQUEST = 4;
const POLL_MS = 250;
const SEARCHES = [
  { query: "deep house around 122 bpm" },
  { query: "calm and slow, no drums", limit: 3 },
  { query: "something fast and aggressive", limit: 3, constraints: { bpmRange: [150, 180] } },
  { query: "warm chords", limit: 3, constraints: { key: "F minor" } },
];

/**
 * `demo`: fills its own data folder with a dozen short pieces that it synthesises. It shows upload, analysis,
 * search and a link over real HTTP, and prints each request and answer.
 */
export async function walkThrough({
  settings,
  words: [folder = FOLDER],
  say,
}: Pick<CommandContext<"demo">, "settings" | "words" | "say">): Promise<void> {
  const dataDir = resolve(folder);
  makeRoom(dataDir);

  const served = startServer({
    ...settings,
    dataDir,
    host: "127.0.0.1",
    port: 0,
    rateLimit: 0,
    logLevel: "error",
  });
  try {
    const call = caller(served.address, say);
    say(`Dubplate listens at ${served.address}; its library is in ${dataDir}.\n`);

    say("1. The first account, with the set-up code that the first start prints");
    const { token } = await call("POST", "/auth/register", {}, { ...ACCOUNT, setupCode: served.setupCode });
    say("2. A key for programs");
    const { key } = await call(
      "POST",
      "/integration/api-keys",
      { authorization: `Bearer ${token}` },
      { name: "demo" },
    );
    const asKey = { "x-api-key": String(key) };

    say("3. Upload: twelve pieces, synthesised on the spot");
    const ids = await uploadPieces(served.address, asKey, say);
    say("4. Analysis, in the background");
    await awaitAnalyses(served.address, asKey, ids, say);
    await printLibrary(served.address, asKey, say);

    say("5. Search by prose; results always meet `constraints`");
    let found: unknown[] = [];
    for (const search of SEARCHES) {
      const answer = await call("POST", "/api/v1/tracks/search", asKey, search, searchSummary);
      found = (answer.results as unknown[]) ?? found;
    }

    say("6. A link to the original file that works for one hour");
    const best = (found[0] as { id: string } | undefined)?.id ?? ids[0];
    const { versions } = await call("GET", `/api/v1/tracks/${best}/versions`, asKey);
    const { downloadUrl } = (versions as { downloadUrl: string }[])[0] ?? { downloadUrl: "" };
    const file = await fetch(downloadUrl);
    say(
      `> GET ${new URL(downloadUrl).pathname}\n< ${file.status} ${(await file.bytes()).length} bytes of ${file.headers.get("content-type")}\n`,
    );
  } finally {
    await served.stop();
  }
  say(`To look around yourself: DATA_DIR=${folder} ${programName(served.deps)} serve
Sign in as ${ACCOUNT.email} with the password "${ACCOUNT.password}". Every route: /swagger`);
}

/** Empties the folder of an earlier demo. It never touches another library. */
function makeRoom(dataDir: string): void {
  if (existsSync(dataDir)) {
    if (!existsSync(join(dataDir, MARK)))
      throw new RefusedError(
        `${dataDir} is not a folder of an earlier demo: name a folder that does not exist`,
      );
    rmSync(dataDir, { recursive: true });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, MARK), "");
}

/** Makes a client that prints its requests and their answers. */
function caller(address: string, say: Say) {
  return async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
    summarise: (data: Record<string, unknown>) => unknown = (data) => data,
  ): Promise<Record<string, unknown>> => {
    say(`> ${method} ${path}${body ? `\n> ${JSON.stringify(body)}` : ""}`);
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Record<string, unknown> };
    if (!response.ok)
      throw new RefusedError(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    say(`< ${response.status} ${JSON.stringify(summarise(answer.data), null, 2).replaceAll("\n", "\n  ")}\n`);
    return answer.data;
  };
}

async function uploadPieces(address: string, asKey: Record<string, string>, say: Say): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < DEMO_PIECES.length; start += PIECES_A_REQUEST) {
    const pieces = DEMO_PIECES.slice(start, start + PIECES_A_REQUEST);
    const form = new FormData();
    form.set("visible", "true");
    for (const piece of pieces)
      form.append("files", new File([renderPiece(piece)], piece.filename, { type: "audio/wav" }));
    say(`> POST /api/v1/tracks/upload\n> files: ${pieces.map(({ filename }) => filename).join(", ")}`);
    const response = await fetch(`${address}/api/v1/tracks/upload`, {
      method: "POST",
      headers: asKey,
      body: form,
    });
    const { data } = (await response.json()) as { data: { uploaded: { id: string }[] } };
    say(`< ${response.status} ${JSON.stringify(data)}\n`);
    ids.push(...data.uploaded.map(({ id }) => id));
  }
  return ids;
}

async function awaitAnalyses(
  address: string,
  asKey: Record<string, string>,
  ids: readonly string[],
  say: Say,
): Promise<void> {
  const open = new Set(ids);
  while (open.size > 0) {
    for (const id of open) {
      const { track } = await single(address, asKey, id);
      if (track.analysis.status === "failed") say(`  ${track.name}: ${track.analysis.reason}`);
      if (track.analysis.status === "completed" || track.analysis.status === "failed") open.delete(id);
    }
    if (open.size > 0) await Bun.sleep(POLL_MS);
  }
}

/** Prints the measured values beside the true ones, which only a synthesised library knows. */
async function printLibrary(address: string, asKey: Record<string, string>, say: Say): Promise<void> {
  say("> GET /api/v1/tracks/single?id=… for each: the measured values, and in brackets the true ones");
  const response = await fetch(`${address}/api/v1/tracks?limit=200&sort=created_at`, { headers: asKey });
  const { data } = (await response.json()) as { data: { id: string; name: string }[] };
  for (const { id, name } of data) {
    const { track } = await single(address, asKey, id);
    const piece = DEMO_PIECES.find(({ filename }) => filename === name);
    const { bpm, key } = track.audio_profile;
    const loudness = track.analysis.measured?.integratedLufs?.toFixed(1) ?? "-";
    const measured = `${bpm === null ? "no beat" : `${bpm.toFixed(1)} BPM`}, ${key ?? "no key"}, ${loudness} LUFS`;
    say(`< ${name.padEnd(34)} ${measured.padEnd(38)} [${piece?.bpm} BPM, ${piece?.key}, ${piece?.style}]`);
  }
  say("");
}

type SingleTrack = {
  track: {
    name: string;
    audio_profile: { bpm: number | null; key: string | null };
    analysis: { status: string; reason: string | null; measured: { integratedLufs: number | null } | null };
  };
};

async function single(address: string, asKey: Record<string, string>, id: string): Promise<SingleTrack> {
  const response = await fetch(`${address}/api/v1/tracks/single?id=${id}`, { headers: asKey });
  return ((await response.json()) as { data: SingleTrack }).data;
}

/** Returns the part of a search's answer that a person reads first. */
function searchSummary(data: Record<string, unknown>): unknown {
  const { results, interpretation, suggestedName } = data as {
    results: { title: string; bpm: number; key: string; score: number; reason: string[] }[];
    interpretation: { summary: string };
    suggestedName: string;
  };
  return {
    understood: interpretation.summary,
    suggestedName,
    results: results.map(({ title, bpm, key, score, reason }) => ({ title, bpm, key, score, reason })),
  };
}
