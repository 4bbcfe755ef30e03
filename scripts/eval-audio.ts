/**
 * Renders clips whose tempo and key are known, sends each through the analysis as the program does (from the file,
 * decoder and all), and prints how much is right beside essentia.js on the same clips.
 *
 * usage: bun scripts/eval-audio.ts [--seed 7] [--generator PATH] [--work FOLDER] [--truth FOLDER]... [--no-essentia]
 *        bun scripts/eval-audio.ts --list FOLDER...
 *   --seed       of both generators; another seed, other clips
 *   --generator  the shared generator, generate.py; looked for beside the checkout, left out when it is not there
 *   --work       where clips are kept, so that they are rendered once
 *   --truth      a folder of clips with its truth.tsv, instead of rendering any
 *   --list       prints tempo, key and tags of real music instead, a row a file
 *
 * Needs fluidsynth, a General MIDI soundfont (fluid-soundfont-gm) and ffmpeg; the shared generator needs python3.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderDevelopmentSet } from "./eval-audio/development-set.ts";
import { evaluateClips } from "./eval-audio/evaluate.ts";
import { listMusic } from "./eval-audio/list.ts";
import { findGenerator, renderSharedSet } from "./eval-audio/shared-set.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    generator: { type: "string" },
    work: { type: "string", default: join(tmpdir(), "dubplate-eval-audio") },
    truth: { type: "string", multiple: true },
    list: { type: "string", multiple: true },
    "no-essentia": { type: "boolean", default: false },
  },
});

const withEssentia = !values["no-essentia"];
if (values.list) await listMusic(values.list, { withEssentia });
else
  for (const folder of values.truth ?? (await render(Number(values.seed), values.work)))
    await evaluateClips(folder, { withEssentia });

/** Returns the folders of the clips, rendered unless they are there already. */
async function render(seed: number, work: string): Promise<string[]> {
  const own = join(work, `own-${seed}`);
  const shared = join(work, `shared-${seed}`);
  if (!existsSync(join(own, "truth.tsv"))) await renderDevelopmentSet(own, { seed, part: "hold" });
  const generator = findGenerator(values.generator);
  if (!existsSync(join(shared, "truth.csv"))) await renderSharedSet(generator, shared, seed);
  if (existsSync(join(shared, "truth.csv"))) return [shared, own];
  console.log("The shared generator is not here (--generator PATH names it): its clips are left out.");
  return [own];
}
