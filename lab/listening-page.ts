/**
 * Makes a page to listen to: thirty rendered clips whose line-up is known, what is heard in them and where, each with a
 * button that plays it, and whether it is true. Prints every false statement, and how many there are.
 *
 * usage: bun lab/listening-page.ts FOLDER PAGE
 * FOLDER keeps the clips, as for lab/eval-ears.ts, and what was measured; PAGE is made. Needs ffmpeg, espeak-ng, fluidsynth,
 * timidity, and Debian's csound-soundfont and freepats.
 */
import { EARS_HZ } from "../src/ears/levels.ts";
import { EARS_VERSION } from "../src/ears/tags.ts";
import { createWholeEars } from "../src/ears/whole.ts";
import { createProgress } from "./eval-audio/progress.ts";
import { basisOf, type KeptBasis, measureFirstMinutes } from "./eval-ears/first-minutes.ts";
import { readKept } from "./eval-ears/kept.ts";
import { type Clip, listeningClips } from "./listening-page/clips.ts";
import { foundOf, type Statement, statementsOf } from "./listening-page/judge.ts";
import { type Listened, textOf, writePage } from "./listening-page/page.ts";

type Kept = { basis: KeptBasis; stepSec: number; likelihoods: number[] };

const [folder, page] = Bun.argv.slice(2);
if (folder === undefined || page === undefined)
  throw new Error("usage: bun lab/listening-page.ts FOLDER PAGE");
const kept = await readKept<Kept>(folder);
const clips = await listeningClips(folder);
const progress = createProgress(clips.length);
const all: Listened[] = [];
for (const clip of clips) {
  const { basis, stepSec, likelihoods } = await kept(`listening ${EARS_VERSION} ${clip.title}`, () =>
    listenTo(clip),
  );
  const passages = { stepSec, likelihoods: Uint8Array.from(likelihoods) };
  const statements = statementsOf(clip, { ...basisOf(basis), passages });
  const { found, truth } = foundOf(clip, statements);
  all.push({ clip, statements, missed: truth.filter((name) => !found.includes(name)) });
  progress.step();
}
const counted = (title: string, some: readonly Statement[]) => {
  const [right, wrong] = ["true", "false"].map((meant) => some.filter(({ verdict }) => verdict === meant));
  const open = some.length - (right?.length ?? 0) - (wrong?.length ?? 0);
  return `${title}: ${right?.length} true, ${wrong?.length} false, ${open} neither`;
};
const statements = all.flatMap((each) => each.statements);
const truth = all.reduce((sum, { clip }) => sum + foundOf(clip, []).truth.length, 0);
const missed = all.reduce((sum, each) => sum + each.missed.length, 0);
const summary = [
  ...["genres", "instruments", "vocals"].map((category) =>
    counted(
      category,
      statements.filter((each) => each.category === category && !each.place),
    ),
  ),
  counted(
    "places",
    statements.filter(({ place }) => place),
  ),
  `instruments named: ${truth - missed} of ${truth}`,
];
await writePage(page, summary.join("; "), all);
for (const line of summary) console.log(line);
for (const { clip, statements: said } of all)
  for (const { verdict, ...statement } of said)
    if (verdict === "false") console.log(`  false: ${textOf(statement)} in ${clip.title}`);

async function listenTo(clip: Clip): Promise<Kept> {
  const basis = await measureFirstMinutes(clip.path, folder ?? "");
  const format = ["-ac", "1", "-ar", String(EARS_HZ), "-f", "f32le", "-"];
  const bytes = await Bun.$`ffmpeg -nostdin -v error -i ${clip.path} ${format}`.quiet().arrayBuffer();
  const samples = new Float32Array(bytes);
  const whole = await createWholeEars(EARS_HZ, clip.lengthSec);
  whole.push(samples, samples.length);
  const { stepSec = 3, likelihoods = [] } = whole.finish() ?? {};
  return { basis, stepSec, likelihoods: [...likelihoods] };
}
