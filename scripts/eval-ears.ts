/**
 * Prints what is suggested on real music from packages that nothing was trained on, without and with the ears.
 *
 * usage: bun scripts/eval-ears.ts FOLDER
 * FOLDER keeps the packages and what was measured in their music. Needs apt-get download, dpkg-deb and ffmpeg.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import type { SuggestionBasis } from "../src/modules/analysis/suggest/priors.ts";
import { suggestTags } from "../src/modules/analysis/suggest/suggest.ts";
import { analyseFile } from "./eval-audio/analyse-file.ts";
import { type Source, unpacked } from "./eval-search/cold-music.ts";

const SEQUENCED = { files: /\.ogg$/, most: 10, is: ["Electronic", "Synth"] };
/** Sampled guitars may be among the machines. */
const PERHAPS = ["Rock", "Electric Guitar", "Distorted Guitar"];
/** Shooters whose author makes techno with a sequencer. */
const SOURCES: readonly Source[] = [
  "rrootage-data",
  "torus-trooper-data",
  "noiz2sa-data",
  "parsec47-data",
  "gunroar-data",
].map((name) => ({ ...SEQUENCED, name, perhaps: PERHAPS }));
const TAGS = [
  "Electronic",
  "Synth",
  "Rock",
  "Metal",
  "Distorted Guitar",
  "Electric Guitar",
  "Orchestral",
  "Strings",
];

type Judged = {
  path: string;
  basis: Omit<SuggestionBasis, "descriptors" | "heard"> & Record<Vector, number[] | null>;
};
type Vector = "descriptors" | "heard";
type Labelled = Pick<Source, "is" | "perhaps"> & { basis: SuggestionBasis };

const [folder] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun scripts/eval-ears.ts FOLDER");
const pieces = await measuredPieces(folder);
console.log(`${pieces.length} pieces; right of said, of those that have it`);
for (const name of TAGS) {
  const known = pieces.filter(({ is, perhaps }) => is.includes(name) || !perhaps.includes(name));
  const count = known.filter(({ is }) => is.includes(name)).length;
  const [before, after] = [false, true].map((hasEars) => figureOf(known, name, hasEars));
  console.log(`${name.padEnd(18)}before ${before?.padEnd(10)} with ears ${after?.padEnd(10)} of ${count}`);
}

function figureOf(known: readonly Labelled[], name: string, hasEars: boolean): string {
  const said = known.filter(({ basis }) =>
    suggestTags(hasEars ? basis : { ...basis, heard: null }).some((tag) => tag.name === name),
  );
  return `${said.filter(({ is }) => is.includes(name)).length}/${said.length}`;
}

async function measuredPieces(home: string): Promise<Labelled[]> {
  const cache = Bun.file(join(home, "judged.jsonl"));
  const known = (await cache.exists()) ? (await cache.text()).trim().split("\n") : [];
  const measured = new Map(known.map((line) => JSON.parse(line) as Judged).map((each) => [each.path, each]));
  const all: Labelled[] = [];
  for (const source of SOURCES)
    for (const path of (await unpacked(home, source)).slice(0, source.most)) {
      const judged = measured.get(path) ?? (await measure(path));
      if (!measured.has(path)) await appendFile(join(home, "judged.jsonl"), `${JSON.stringify(judged)}\n`);
      const { descriptors, heard, ...basis } = judged.basis;
      const [sound, ears] = [descriptors, heard].map((values) => values && Float32Array.from(values));
      all.push({ ...source, basis: { ...basis, descriptors: sound ?? null, heard: ears ?? null } });
    }
  return all;
}

async function measure(path: string): Promise<Judged> {
  const { measurement } = await analyseFile(path, findFfmpeg(undefined)?.path);
  const { features, durationSec, loudness, tempo, key, descriptors, heard } = measurement;
  const analysis = { durationSec, loudness, tempo, key };
  const vectors = { descriptors: descriptors && [...descriptors], heard: heard && [...heard] };
  return { path, basis: { features, analysis, embedded: {}, filename: "", ...vectors } };
}
