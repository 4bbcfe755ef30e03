/**
 * Prints what is heard of voices: how often music is called sung or instrumental, and which vocal tags are suggested.
 *
 * usage: bun lab/eval-voices.ts FOLDER [--packages]
 * FOLDER has a folder for each of KINDS, with recordings in it or below it, and keeps what was measured. Kinds without
 * recordings are named and left out.
 *   --packages  fetches what can be fetched: instrumentals and choirs, from Debian's packages and rendered, as
 *               lab/eval-ears.ts does. Songs under a free licence are in no package: bring them.
 */
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { voiceIn } from "../src/ears/voice.ts";
import type { SuggestionBasis } from "../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../src/modules/library/analysis/suggest/suggest.ts";
import { createProgress } from "./eval-audio/progress.ts";
import { basisOf, type KeptBasis, measureFirstMinutes } from "./eval-ears/first-minutes.ts";
import { judgedMusic } from "./eval-ears/judged-music.ts";
import { readKept } from "./eval-ears/kept.ts";
import { judgedLineUps } from "./eval-ears/line-ups.ts";

/** The folders, the tags that are right for what lies in them, and tags that may be right. */
const KINDS: Readonly<Record<string, { is: readonly string[]; perhaps?: readonly string[] }>> = {
  instrumental: { is: ["Instrumental"] },
  "instrumental rendered": { is: ["Instrumental"] },
  "choir rendered": { is: ["Choir"] },
  sung: { is: ["Lead Vocals"], perhaps: ["Female Vocals", "Male Vocals"] },
  female: { is: ["Lead Vocals", "Female Vocals"] },
  male: { is: ["Lead Vocals", "Male Vocals"] },
  vocalise: {
    is: ["Wordless Vocals", "A Cappella"],
    perhaps: ["Lead Vocals", "Female Vocals", "Male Vocals"],
  },
  "sung alone": { is: ["Lead Vocals", "A Cappella"], perhaps: ["Female Vocals", "Male Vocals"] },
  spoken: { is: ["Spoken Word"] },
  "spoken over music": { is: ["Spoken Word"] },
};
/** From the first on, a track is left out where somebody asks for no vocals; up to the second it counts as instrumental. */
const [SUNG, INSTRUMENTAL] = [0.9, 0.1];

type Piece = { kind: string; path: string; basis: SuggestionBasis };

const [folder, option] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun lab/eval-voices.ts FOLDER [--packages]");
if (option === "--packages") await linkPackages(folder);
const kept = await readKept<KeptBasis>(folder);
const pieces: Piece[] = [];
for (const kind of Object.keys(KINDS)) {
  const paths = recordingsIn(join(folder, kind));
  if (paths.length === 0) console.log(`left out: ${join(folder, kind)} has no recordings`);
  const progress = createProgress(paths.length);
  for (const path of paths) {
    const file = join(folder, kind, path);
    const basis = await kept(join(kind, path), () => measureFirstMinutes(file, folder));
    // The ears do not listen to short sounds.
    if (basis.heard) pieces.push({ kind, path: join(kind, path), basis: basisOf(basis) });
    progress.step();
  }
}
printCalled();
printSuggested();

function printCalled(): void {
  console.log("called sung or instrumental, by syllables alone and by the ears");
  for (const [kind, of] of Map.groupBy(pieces, (piece) => piece.kind)) {
    const syllables = of.map(({ basis }) => basis.features.voiceLikelihood ?? 0);
    const ears = of.map(({ basis }, i) => voiceIn(basis.heard ?? [], syllables[i] ?? 0));
    const count = (values: number[], isMeant: (value: number) => boolean) => values.filter(isMeant).length;
    const [sung, none] = [(value: number) => value >= SUNG, (value: number) => value <= INSTRUMENTAL];
    console.log(
      `${kind.padEnd(24)}${of.length} pieces: sung ${count(syllables, sung)}, ${count(ears, sung)}; instrumental ${count(syllables, none)}, ${count(ears, none)}`,
    );
    for (const [i, value] of ears.entries())
      if (kind.startsWith("instrumental") && sung(value)) console.log(`  sung: ${of[i]?.path}`);
  }
}

function printSuggested(): void {
  console.log("vocals suggested with the ears: right of said, of those to be found");
  const all = pieces.map(({ kind, basis }) => {
    const vocals = suggestTags(basis).filter(({ category }) => category === "vocals");
    return { kind, said: vocals.map(({ name }) => name), ...KINDS[kind] };
  });
  for (const name of new Set(all.flatMap(({ said, is = [] }) => [...said, ...is]))) {
    const to = all.filter(({ is }) => is?.includes(name));
    const right = to.filter(({ said }) => said.includes(name)).length;
    const wrong = all.filter(
      ({ said, is, perhaps }) => said.includes(name) && !is?.includes(name) && !perhaps?.includes(name),
    );
    const where = [...Map.groupBy(wrong, ({ kind }) => kind)].map(([kind, of]) => `${kind} ${of.length}`);
    console.log(
      `${name.padEnd(24)}${right} of ${right + wrong.length}, of ${to.length}${where.length > 0 ? `; wrong: ${where.join(", ")}` : ""}`,
    );
  }
}

function recordingsIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const glob = new Bun.Glob("**/*.{mp3,ogg,opus,flac,wav}");
  return [...glob.scanSync({ cwd: path, followSymlinks: true })].sort();
}

/** Fetches and renders the kinds that packages have, into the folders of their kinds. */
async function linkPackages(into: string): Promise<void> {
  const music = await judgedMusic(into);
  const lineUps = await judgedLineUps(join(into, "line-ups"));
  const isChoir = ({ source }: { source: string }) => source.includes("choir");
  await link(music, join(into, "instrumental"));
  await link(
    lineUps.filter((each) => !isChoir(each)),
    join(into, "instrumental rendered"),
  );
  await link(lineUps.filter(isChoir), join(into, "choir rendered"));
}

async function link(files: readonly { path: string; source: string }[], into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const { path, source } of files) {
    const name = join(into, `${source} ${basename(path)}`);
    if (!existsSync(name)) await symlink(resolve(path), name);
  }
}
