import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { createOwner, openLibraryIn, untilIdle } from "../../scripts/bench/library.ts";
import {
  freePort,
  type ServerProcess,
  spawnDubplate,
  temporaryFolder,
} from "../../scripts/bench/processes.ts";
import { closeLibrary } from "../../src/library.ts";
import { type ColdTrack, coldMusic } from "./cold-music.ts";

/** What people type, and the name that a right answer must have. */
const WISHES: readonly (readonly [query: string, name: string])[] = [
  ["orchestral", "Orchestral"],
  ["an orchestra, big and heroic", "Orchestral"],
  ["classical", "Classical"],
  ["strings", "Strings"],
  ["brass", "Brass"],
  ["a brass section, please", "Brass"],
  ["flute", "Flute"],
  ["something with a flute", "Flute"],
  ["harp", "Harp"],
  ["piano", "Piano"],
  ["a piano piece", "Piano"],
  ["drums", "Drums"],
  ["electronic", "Electronic"],
  ["synth", "Synth"],
  ["electronic music with synths", "Electronic"],
  ["ambient", "Ambient"],
  ["slow ambient pads", "Ambient"],
  ["rock", "Rock"],
  ["loud rock with electric guitars", "Electric Guitar"],
  ["metal", "Metal"],
  ["heavy metal for a fight", "Metal"],
  ["distorted guitar", "Distorted Guitar"],
  ["female vocals", "Female Vocals"],
  ["video game music", "Video Game Music"],
];
const AT = 10;

/** How many of the first ten are right, beside the share that chance would give. */
export type ColdAnswer = { query: string; name: string; precision: number; chance: number; sources: string };

/** The share of the ten most similar tracks that come from the same source, over all tracks. */
export type SimilarByOrigin = { precision: number; chance: number; tracks: number };

/**
 * Puts copies of real music without tags and names into a new library over HTTP, and searches it. The analysed library
 * stays in `folder`, so that another run only searches.
 */
export async function coldStart(
  folder: string,
): Promise<{ answers: ColdAnswer[]; similar: SimilarByOrigin }> {
  const tracks = await coldMusic(folder);
  const library = await analysedLibrary(folder, tracks);
  const dataDir = join(temporaryFolder("cold-start"), "data");
  await cp(library, dataDir, { recursive: true });
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(dataDir, "server.log") });
  await server.healthy();
  const key = await Bun.file(join(library, "key.txt")).text();
  const answers: ColdAnswer[] = [];
  for (const [query, name] of WISHES) answers.push(await ask({ server, key, tracks }, query, name));
  const similar = await similarByOrigin({ server, key, tracks });
  await server.stop();
  return { answers, similar };
}

type Asked = { server: ServerProcess; key: string; tracks: readonly ColdTrack[] };

async function ask({ server, key, tracks }: Asked, query: string, name: string): Promise<ColdAnswer> {
  const byName = new Map(tracks.map((track) => [basename(track.file), track]));
  const response = await fetch(`${server.address}/api/v1/tracks/search`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ query, limit: 50 }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`A search was answered with ${response.status}: ${text}`);
  const { results } = (JSON.parse(text) as { data: { results: { title: string }[] } }).data;
  const isJudged = ({ is, perhaps }: ColdTrack) => is.includes(name) || !perhaps.includes(name);
  const judged = results.flatMap((hit) => byName.get(hit.title) ?? []).filter(isJudged);
  const first = judged.slice(0, AT);
  const isRight = ({ is }: ColdTrack) => is.includes(name);
  const all = tracks.filter(isJudged);
  const counts = [...Map.groupBy(first, ({ source }) => source)].map(
    ([source, of]) => `${source} ${of.length}`,
  );
  return {
    query,
    name,
    precision: first.filter(isRight).length / AT,
    chance: all.filter(isRight).length / all.length,
    sources: counts.join(", "),
  };
}

async function similarByOrigin({ server, key, tracks }: Asked): Promise<SimilarByOrigin> {
  const sources = new Map(tracks.map(({ file, source }) => [basename(file), source]));
  const read = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${server.address}/api/v1${path}`, { headers: { "x-api-key": key } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return ((await response.json()) as { data: Data }).data;
  };
  const shares: { precision: number; chance: number }[] = [];
  for (let cursor = ""; ; ) {
    const response = await fetch(`${server.address}/api/v1/tracks?limit=50${cursor}`, {
      headers: { "x-api-key": key },
    });
    const page = (await response.json()) as {
      data: { id: string; name: string }[];
      paging: { next_cursor: string | null };
    };
    for (const { id, name } of page.data) {
      const source = sources.get(name);
      const { results } = await read<{ results: { title: string }[] }>(
        `/tracks/similar?id=${id}&limit=${AT}`,
      );
      const same = results.filter((hit) => sources.get(hit.title) === source).length;
      const others = tracks.filter((track) => track.source === source).length - 1;
      shares.push({ precision: same / AT, chance: others / (tracks.length - 1) });
    }
    if (page.paging.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.paging.next_cursor)}`;
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    precision: mean(shares.map(({ precision }) => precision)),
    chance: mean(shares.map(({ chance }) => chance)),
    tracks: shares.length,
  };
}

/** Returns the data folder of a library with the analysed copies, made when it is not there. */
async function analysedLibrary(folder: string, tracks: readonly ColdTrack[]): Promise<string> {
  const made = join(folder, "library");
  if (existsSync(join(made, "complete"))) return made;
  await mkdir(made, { recursive: true });
  const deps = openLibraryIn(made);
  const { key } = await createOwner(deps);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir: made, port: freePort(), log: join(folder, "server.log") });
  await server.healthy();
  for (const { file } of tracks) {
    const form = new FormData();
    form.append("files", Bun.file(file), basename(file));
    const response = await fetch(`${server.address}/api/v1/tracks/upload`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: form,
    });
    if (!response.ok) throw new Error(`${file} was refused: ${await response.text()}`);
  }
  await untilIdle(made);
  await server.stop();
  await Bun.write(join(made, "key.txt"), key);
  await Bun.write(join(made, "complete"), "");
  return made;
}
