/**
 * Prints loudness as measured by the analysis and by ffmpeg's meter (its filter ebur128), and the largest differences.
 *
 * usage: bun lab/eval-loudness.ts FILE...
 */
import { basename } from "node:path";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import { analyseFile } from "./eval-audio/analyse-file.ts";

type Levels = { integratedLufs: number; rangeLu: number; truePeakDbtp: number };

const ffmpegPath = findFfmpeg(undefined)?.path;
if (ffmpegPath === undefined) throw new Error("ffmpeg is needed");
const files = Bun.argv.slice(2);
if (files.length === 0) throw new Error("usage: bun lab/eval-loudness.ts FILE...");

const worst: Levels = { integratedLufs: 0, rangeLu: 0, truePeakDbtp: 0 };
console.log("integrated (ffmpeg)   range (ffmpeg)   true peak (ffmpeg)   file");
for (const file of files) {
  const [own, theirs] = [await ownLevels(file), ffmpegLevels(file)];
  console.log(
    `${pair(own.integratedLufs, theirs.integratedLufs)}   ${pair(own.rangeLu, theirs.rangeLu)}   ` +
      `${pair(own.truePeakDbtp, theirs.truePeakDbtp)}   ${basename(file)}`,
  );
  for (const name of ["integratedLufs", "rangeLu", "truePeakDbtp"] as const)
    worst[name] = Math.max(worst[name], Math.abs(own[name] - theirs[name]));
}
console.log(
  `largest difference in ${files.length} files: ${worst.integratedLufs.toFixed(2)} LU integrated, ` +
    `${worst.rangeLu.toFixed(2)} LU range, ${worst.truePeakDbtp.toFixed(2)} dB true peak (ffmpeg prints tenths)`,
);

async function ownLevels(path: string): Promise<Levels> {
  const { loudness } = (await analyseFile(path, ffmpegPath)).measurement;
  return {
    integratedLufs: loudness.integratedLufs ?? Number.NaN,
    rangeLu: loudness.rangeLu ?? Number.NaN,
    truePeakDbtp: loudness.truePeakDbtp ?? Number.NaN,
  };
}

function ffmpegLevels(path: string): Levels {
  const filter = ["-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"];
  const command = [ffmpegPath ?? "", "-nostdin", "-hide_banner", "-i", path, "-vn", ...filter];
  const { stderr, exitCode } = Bun.spawnSync(command);
  const summary = stderr.toString();
  if (exitCode !== 0) throw new Error(summary);
  const read = (name: string) =>
    Number(new RegExp(`^\\s+${name}:\\s+(-?[\\d.]+)`, "gm").exec(summary)?.[1] ?? Number.NaN);
  return { integratedLufs: read("I"), rangeLu: read("LRA"), truePeakDbtp: read("Peak") };
}

function pair(own: number, theirs: number): string {
  return `${own.toFixed(2).padStart(7)} (${theirs.toFixed(1).padStart(5)})`;
}
