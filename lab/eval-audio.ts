/**
 * Renders clips whose tempo and key are known, analyses each the way the program does (from the file, with its
 * decoder), and prints the accuracy beside that of essentia.js on the same clips.
 *
 * usage: bun lab/eval-audio.ts [--seed 7] [--generator PATH] [--work FOLDER] [--truth FOLDER]... [--keep FOLDER]
 *                                 [--no-essentia] [--short]
 *        bun lab/eval-audio.ts --list FOLDER...
 *   --seed       seed of both generators; another seed gives other clips
 *   --generator  path of another generator of clips, in Python; its clips are left out without it
 *   --work       where clips are kept, so that they are rendered once
 *   --truth      a folder of clips with its truth.tsv, instead of rendering any
 *   --keep       measures only what tempo and key are estimated from, and keeps it in FOLDER: much faster
 *   --no-essentia  without the yardstick
 *   --short      a sixth of our own clips and nothing else: a rough look
 *   --list       prints tempo, key and tags of real music instead, one row per file
 *
 * Needs fluidsynth, a General MIDI soundfont (fluid-soundfont-gm) and ffmpeg; the other generator needs python3. `bun install` in lab/ brings essentia.js.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderDevelopmentSet } from "./eval-audio/development-set.ts";
import { evaluateClips } from "./eval-audio/evaluate.ts";
import { listMusic } from "./eval-audio/list.ts";
import { givenGenerator, renderSharedSet } from "./eval-audio/shared-set.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    generator: { type: "string" },
    work: { type: "string", default: join(tmpdir(), "dubplate-eval-audio") },
    truth: { type: "string", multiple: true },
    list: { type: "string", multiple: true },
    keep: { type: "string" },
    "no-essentia": { type: "boolean", default: false },
    short: { type: "boolean", default: false },
  },
});

const withEssentia = !values["no-essentia"] && !values.short;
if (values.list) await listMusic(values.list, { withEssentia });
else
  for (const folder of values.truth ?? (await render(Number(values.seed), values.work)))
    await evaluateClips(folder, { withEssentia, kept: values.keep });

/** Returns the folders of the clips, and renders those that are missing. */
async function render(seed: number, work: string): Promise<string[]> {
  if (values.short) return [await renderShort(seed, work)];
  const own = join(work, `own-${seed}`);
  const shared = join(work, `shared-${seed}`);
  if (!existsSync(join(own, "truth.tsv"))) await renderDevelopmentSet(own, { seed, part: "hold" });
  const generator = givenGenerator(values.generator);
  if (!existsSync(join(shared, "truth.csv"))) await renderSharedSet(generator, shared, seed);
  if (existsSync(join(shared, "truth.csv"))) return [shared, own];
  console.log("No --generator PATH: only our own clips are judged.");
  return [own];
}

async function renderShort(seed: number, work: string): Promise<string> {
  const short = join(work, `short-${seed}`);
  if (!existsSync(join(short, "truth.tsv")))
    await renderDevelopmentSet(short, { seed, part: "hold", every: 6 });
  return short;
}
