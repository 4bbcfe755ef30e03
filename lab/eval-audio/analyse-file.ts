import { join } from "node:path";
import { measureFile } from "../../src/modules/library/analysis/measure.ts";
import type { FileInfo, Measurement } from "../../src/modules/library/analysis/task.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** What the program measures in a file. */
export type AnalysedFile = { info: FileInfo | null; measurement: Measurement; seconds: number };

/**
 * Analyses a file the way the program does: sniffs it, decodes it in a child process, measures it. @throws Error
 * when it fails.
 */
export async function analyseFile(path: string, ffmpegPath: string | undefined): Promise<AnalysedFile> {
  const started = performance.now();
  const task = { path, ffmpegPath, selfCommand: [process.execPath, MAIN] };
  const outcome = await measureFile(task, new AbortController().signal);
  if ("failure" in outcome) throw new Error(`${path}: ${outcome.failure.reason}`);
  const { info, measurement } = outcome;
  return { info, measurement, seconds: (performance.now() - started) / 1000 };
}
