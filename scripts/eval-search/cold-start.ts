import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { createOwner, openLibraryIn, untilIdle } from "../bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "../bench/processes.ts";
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

/**
 * Puts copies of real music without tags and names into a new library over HTTP, and searches it. The analysed library
 * stays in `folder`, so that another run only searches.
 */
export async function coldStart(folder: string): Promise<ColdAnswer[]> {
  const tracks = await coldMusic(folder);
  const library = await analysedLibrary(folder, tracks);
  const dataDir = join(temporaryFolder("cold-start"), "data");
  await cp(library, dataDir, { recursive: true });
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(dataDir, "server.log") });
  await server.healthy();
  const key = await Bun.file(join(library, "key.txt")).text();
  const answers: ColdAnswer[] = [];
  for (const [query, name] of WISHES) answers.push(await ask({ server, key, tracks }, query, name));
  await server.stop();
  return answers;
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
