import { join } from "node:path";
import { measureFile } from "../../src/modules/library/analysis/measure.ts";
import { atMost, type Figure } from "./figures.ts";
import { canMeasureMemory, forgetPeak, residentMb } from "./memory.ts";
import { DUBPLATE, runHelper } from "./processes.ts";

const AIM_MB = 100;
const LONG_SEC = 3 * 60 * 60;

type Task = { path: string; ffmpegPath: string | undefined };
/** MB of 10^6 bytes: the memory before, and its largest growth while a file was analysed. */
export type MemoryResult = { beforeMb: number; grownMb: number };

/** Measures the memory for analysing a file, and for three hours of the same sound, each in its own process. */
export async function benchMemory(
  folder: string,
  short: string,
  ffmpegPath: string,
  { aimMb = AIM_MB, hasLong = true } = {},
): Promise<Figure[]> {
  if (!canMeasureMemory) return [];
  const paths = {
    "four minutes": short,
    ...(hasLong && { "three hours": await longer(folder, short, ffmpegPath) }),
  };
  const figures: Figure[] = [];
  for (const [what, path] of Object.entries(paths)) {
    const task: Task = { path, ffmpegPath };
    const { beforeMb, grownMb } = await runHelper<MemoryResult>("analysis-memory", task);
    figures.push({
      what: `memory of an analysis, ${what}`,
      figure: `${grownMb.toFixed(0)} MB more`,
      yardstick: `process before ${beforeMb.toFixed(0)} MB`,
      aim: atMost(grownMb, aimMb, "MB"),
    });
  }
  return figures;
}

async function longer(folder: string, short: string, ffmpegPath: string): Promise<string> {
  const long = join(folder, "long.mp3");
  const copy = ["-stream_loop", "-1", "-i", short, "-t", String(LONG_SEC), "-c", "copy", long];
  const ffmpeg = Bun.spawn([ffmpegPath, "-nostdin", "-v", "error", ...copy]);
  if ((await ffmpeg.exited) !== 0) throw new Error("ffmpeg could not write the long piece");
  return long;
}

/** Runs in the helper process. The decoder's process is not counted. */
export async function analysisMemory({ path, ffmpegPath }: Task): Promise<MemoryResult> {
  const beforeMb = residentMb(process.pid).now;
  forgetPeak(process.pid);
  const task = { path, ffmpegPath, selfCommand: DUBPLATE };
  const outcome = await measureFile(task, new AbortController().signal);
  if ("failure" in outcome) throw new Error(outcome.failure.reason);
  return { beforeMb, grownMb: residentMb(process.pid).peak - beforeMb };
}
