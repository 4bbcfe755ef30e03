/**
 * Prints what is heard of voices: how often music is called sung or instrumental, and which vocal tags are suggested.
 *
 * usage: bun scripts/eval-voices.ts FOLDER
 * FOLDER has a folder for each of KINDS, with recordings in it or below it, and keeps what was measured.
 */
import { existsSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { voiceIn } from "../src/ears/voice.ts";
import type { SuggestionBasis } from "../src/modules/analysis/suggest/priors.ts";
import { suggestTags } from "../src/modules/analysis/suggest/suggest.ts";
import { basisOf, type KeptBasis, measureFirstMinutes } from "./eval-ears/first-minutes.ts";

/** The folders, the tags that are right for what lies in them, and tags that may be right. */
const KINDS: Readonly<Record<string, { is: readonly string[]; perhaps?: readonly string[] }>> = {
  instrumental: { is: ["Instrumental"] },
  "instrumental rendered": { is: ["Instrumental"] },
  "choir rendered": { is: ["Choir"] },
  sung: { is: ["Lead Vocals"], perhaps: ["Female Vocals", "Male Vocals"] },
  female: { is: ["Lead Vocals", "Female Vocals"] },
  male: { is: ["Lead Vocals", "Male Vocals"] },
  "sung alone": { is: ["Lead Vocals", "A Cappella"], perhaps: ["Female Vocals", "Male Vocals"] },
  spoken: { is: ["Spoken Word"] },
  "spoken over music": { is: ["Spoken Word"] },
};
/** From the first on, a track is left out where somebody asks for no vocals; up to the second it counts as instrumental. */
const [SUNG, INSTRUMENTAL] = [0.9, 0.1];

type Piece = { kind: string; path: string; basis: SuggestionBasis };

const [folder] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun scripts/eval-voices.ts FOLDER");
const cache = join(folder, "voices.jsonl");
const measured = new Map<string, KeptBasis>();
if (existsSync(cache))
  for (const line of (await Bun.file(cache).text()).trim().split("\n")) {
    const { path, basis } = JSON.parse(line) as { path: string; basis: KeptBasis };
    measured.set(path, basis);
  }
const pieces: Piece[] = [];
for (const kind of Object.keys(KINDS)) {
  if (!existsSync(join(folder, kind))) continue;
  const glob = new Bun.Glob("**/*.{mp3,ogg,opus,flac,wav}");
  const paths = [...glob.scanSync({ cwd: join(folder, kind), followSymlinks: true })].sort();
  for (const path of paths) {
    const basis = await measuredOf(join(kind, path));
    if (basis) pieces.push({ kind, path, basis });
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

/** Returns what was measured in a recording; undefined for sounds that the ears do not listen to. */
async function measuredOf(path: string): Promise<SuggestionBasis | undefined> {
  let kept = measured.get(path);
  if (!kept) {
    kept = await measureFirstMinutes(join(folder ?? "", path), folder ?? "");
    measured.set(path, kept);
    await appendFile(cache, `${JSON.stringify({ path, basis: kept })}\n`);
  }
  return kept.heard ? basisOf(kept) : undefined;
}
