import { stat } from "node:fs/promises";
import { join } from "node:path";
import { measureFile } from "../../src/modules/library/analysis/measure.ts";
import { encodeMp3, longPiece, PIECE_SEC } from "./analysis.ts";
import { benchMemory } from "./analysis-memory.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { DUBPLATE, runHelper, temporaryFolder } from "./processes.ts";

const [AIM_SEC, AIM_MB] = [2.2, 150];
const [ROUNDS, QUICK_ROUNDS] = [5, 2];
const ROOT = join(import.meta.dir, "../..");

type Task = { path: string; ffmpegPath: string; rounds: number };
/** Seconds of the first analysis, which builds the networks, and of each later one. */
export type OneCoreResult = { firstSec: number; laterSec: number[]; yardstickSec: number };

/** Measures a whole analysis of four minutes on one core, its memory, and the sizes of program and repository. */
export async function benchOneCore({ quick }: { quick: boolean }): Promise<Figure[]> {
  const ffmpegPath = Bun.which("ffmpeg");
  if (ffmpegPath === null) throw new Error("This needs ffmpeg");
  const folder = temporaryFolder("bench");
  const [wav, mp3] = [join(folder, "piece.wav"), join(folder, "piece.mp3")];
  await Bun.write(wav, longPiece(PIECE_SEC));
  await encodeMp3(ffmpegPath, wav, mp3);
  const task: Task = { path: mp3, ffmpegPath, rounds: quick ? QUICK_ROUNDS : ROUNDS };
  const { firstSec, laterSec, yardstickSec } = await runHelper<OneCoreResult>("one-core", task);
  const yardstick = `30 million square roots ${(1000 * yardstickSec).toFixed(0)} ms`;
  const usual = median(laterSec);
  return [
    {
      what: "whole analysis of four minutes of MP3, decoder and ears on one core",
      figure: `${usual.toFixed(2)} s (${Math.min(...laterSec).toFixed(2)} to ${Math.max(...laterSec).toFixed(2)})`,
      yardstick,
      aim: atMost(usual, AIM_SEC, "s"),
    },
    { what: "the first one, which builds the networks", figure: `${firstSec.toFixed(2)} s`, yardstick },
    ...(await benchMemory(folder, mp3, ffmpegPath, { aimMb: AIM_MB, hasLong: false })),
    ...(await sizes(folder)),
  ];
}

async function sizes(folder: string): Promise<Figure[]> {
  const executable = join(folder, "dubplate");
  await Bun.$`bun ${join(ROOT, "scripts/build.ts")} ${executable}`.quiet();
  const listed = await Bun.$`git -C ${ROOT} ls-files -z`.text();
  const files = listed.split("\0").filter((path) => path !== "");
  const bytes = await Promise.all(files.map(async (path) => (await stat(join(ROOT, path))).size));
  const total = bytes.reduce((sum, size) => sum + size, 0);
  const ears = (await stat(join(ROOT, "src/ears/weights/musicnn.bin"))).size;
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`;
  const yardstick = `weights of the ears ${megabytes(ears)}`;
  return [
    { what: "the executable", figure: megabytes((await stat(executable)).size), yardstick },
    { what: `files of the repository, ${files.length}`, figure: megabytes(total), yardstick },
  ];
}

/** Runs in the helper process, which keeps itself and its decoder to one core. */
export async function oneCore({ path, ffmpegPath, rounds }: Task): Promise<OneCoreResult> {
  await Bun.$`taskset -acp 0 ${process.pid}`.quiet();
  const seconds = async (): Promise<number> => {
    const startedAt = performance.now();
    const outcome = await measureFile(
      { path, ffmpegPath, selfCommand: DUBPLATE },
      new AbortController().signal,
    );
    if ("failure" in outcome) throw new Error(outcome.failure.reason);
    return (performance.now() - startedAt) / 1000;
  };
  const firstSec = await seconds();
  const laterSec: number[] = [];
  for (let round = 0; round < rounds; round++) laterSec.push(await seconds());
  return { firstSec, laterSec, yardstickSec: yardstick() };
}

function yardstick(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let i = 0; i < 30_000_000; i++) sum += Math.sqrt(i);
  return sum > 0 ? (performance.now() - startedAt) / 1000 : 0;
}
