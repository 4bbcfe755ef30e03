/**
 * Prints what is suggested on music that nothing was trained or chosen on, without and with the ears: real music, whose
 * packages say in words what it is, and rendered line-ups.
 *
 * usage: bun scripts/eval-ears.ts FOLDER
 * FOLDER keeps the music and what was measured in it. Needs apt-get download, dpkg-deb, unzip, ffmpeg, fluidsynth,
 * timidity, and Debian's csound-soundfont and freepats.
 */
import { appendFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findTag } from "../db/taxonomy.ts";
import type { SuggestionBasis } from "../src/modules/analysis/suggest/priors.ts";
import { suggestTags } from "../src/modules/analysis/suggest/suggest.ts";
import { basisOf, type KeptBasis, measureFirstMinutes } from "./eval-ears/first-minutes.ts";
import { judgedMusic } from "./eval-ears/judged-music.ts";
import { type JudgedFile, judgedLineUps } from "./eval-ears/line-ups.ts";

const CATEGORIES = ["genres", "instruments", "vocals"] as const;

type Judged = JudgedFile & { basis: SuggestionBasis };
type Measured = { key: string; basis: KeptBasis };
/** `truth` is how many were to be found. */
type Figure = { right: number; said: number; truth: number };

const [folder] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun scripts/eval-ears.ts FOLDER");
const measured = await readMeasured(folder);
await print("real music", await judgedMusic(folder));
await print("rendered line-ups", await judgedLineUps(join(folder, "line-ups")));

async function print(title: string, files: readonly JudgedFile[]): Promise<void> {
  const judged: Judged[] = [];
  for (const file of files) judged.push({ ...file, basis: await measuredOf(file) });
  console.log(`${title}: ${judged.length} pieces; right of said, of those to be found`);
  const names = new Set(judged.flatMap(({ is }) => is));
  for (const category of CATEGORIES) console.log(line(category, judged, (tag) => tag.category === category));
  console.log(
    line("genres, instruments", judged, (tag) => tag.category === "genres" || tag.category === "instruments"),
  );
  for (const name of [...names].sort()) console.log(line(`  ${name}`, judged, (tag) => tag.name === name));
}

type Tag = { category: string; name: string };
function line(title: string, judged: readonly Judged[], isMeant: (tag: Tag) => boolean): string {
  const [without, ears] = [false, true].map((hasEars) => textOf(figureOf(judged, isMeant, hasEars)));
  return `${title.padEnd(22)}without ears ${without?.padEnd(34)} with ears ${ears}`;
}

function figureOf(judged: readonly Judged[], isMeant: (tag: Tag) => boolean, hasEars: boolean): Figure {
  const figure = { right: 0, said: 0, truth: 0 };
  for (const piece of judged) {
    const said = suggestTags(hasEars ? piece.basis : { ...piece.basis, heard: null }).filter(isMeant);
    const right = said.filter(({ name }) => piece.is.includes(name)).length;
    figure.right += right;
    figure.said += right + said.filter(({ name }) => isWrong(piece, name)).length;
    figure.truth += piece.is.filter((name) => isMeant({ category: categoryOf(name), name })).length;
  }
  return figure;
}

function isWrong({ is, not, perhaps }: JudgedFile, name: string): boolean {
  return !is.includes(name) && (not ? not.includes(name) : !perhaps?.includes(name));
}

function categoryOf(name: string): string {
  if (findTag("genres", name)) return "genres";
  return findTag("instruments", name) ? "instruments" : "vocals";
}

function textOf({ right, said, truth }: Figure): string {
  const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(2));
  return `${right}/${said}, of ${truth} (${share(right, said)}, ${share(right, truth)})`;
}

async function measuredOf({ path, source }: JudgedFile): Promise<SuggestionBasis> {
  const key = `${source} ${basename(path)}`;
  return basisOf(measured.get(key) ?? (await measure(key, path)));
}

async function readMeasured(home: string): Promise<Map<string, KeptBasis>> {
  const cache = Bun.file(join(home, "judged.jsonl"));
  const lines = (await cache.exists()) ? (await cache.text()).trim().split("\n") : [];
  return new Map(lines.map((text) => JSON.parse(text) as Measured).map(({ key, basis }) => [key, basis]));
}

async function measure(key: string, path: string): Promise<KeptBasis> {
  const basis = await measureFirstMinutes(path, folder ?? "");
  await appendFile(join(folder ?? "", "judged.jsonl"), `${JSON.stringify({ key, basis })}\n`);
  return basis;
}
