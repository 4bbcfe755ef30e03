import { giveWay } from "../../../kernel/processes.ts";
import type { FromWorker, ToWorker } from "../analysis/service.ts";
import { compareFiles, layAll, sumFiles } from "./compare.ts";
import { createSounds } from "./sounds.ts";
import type { RelateAnswer, RelateTask } from "./task.ts";

// Entry point of a thread that compares tracks. It runs one task at a time; an "abort" message ends it early.
declare const self: Worker;

/** The lowest priority: requests come first. */
const NICENESS = 19;

// On Linux this sets the niceness of this thread and of the child processes that it starts.
if (process.platform === "linux") giveWay(0, NICENESS);

const sounds = createSounds();
let abort = new AbortController();

self.onmessage = async ({ data }: MessageEvent<ToWorker<RelateTask>>) => {
  if (data.kind === "abort") return abort.abort(new DOMException("Comparison stopped", "AbortError"));
  abort = new AbortController();
  try {
    answer({ kind: "done", outcome: await run(data.task, abort.signal) });
  } catch (error) {
    answer({ kind: "error", error: error instanceof Error ? error : new Error(String(error)) });
  }
};

function run(task: RelateTask, signal: AbortSignal): RelateAnswer | Promise<RelateAnswer> {
  if (task.kind === "lay") return layAll(task);
  return task.kind === "sum" ? sumFiles(task, sounds, signal) : compareFiles(task, sounds, signal);
}

const answer = (message: FromWorker<RelateAnswer>): void => self.postMessage(message);
