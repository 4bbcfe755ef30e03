import type { HeardPassages } from "../../../ears/places.ts";
import { giveWay } from "../../../kernel/processes.ts";
import { checkFile, hearWholeFile, listenToFile, measureFile } from "./measure.ts";
import type {
  AnalysisOutcome,
  AnalysisTask,
  Checked,
  CheckTask,
  Heard,
  HearWholeTask,
  ListenTask,
} from "./task.ts";
import type { FromWorker, ToWorker } from "./worker-pool.ts";

// Entry point of an analysis thread. It runs one task at a time; an "abort" message ends it early.
declare const self: Worker;

/** The lowest priority: requests come first. */
const NICENESS = 19;

if (process.platform === "linux") {
  // On Linux this sets the niceness of this thread and the child processes it starts. Elsewhere it would slow down the
  // whole program.
  giveWay(0, NICENESS);
}

let abort = new AbortController();

self.onmessage = async ({ data }: MessageEvent<ToWorker<Task>>) => {
  if (data.kind === "abort") return abort.abort(new DOMException("Analysis stopped", "AbortError"));
  abort = new AbortController();
  try {
    answer({ kind: "done", outcome: await workOf(data.task)(data.task, abort.signal) });
  } catch (error) {
    answer({ kind: "error", error: error instanceof Error ? error : new Error(String(error)) });
  }
};

type Task = AnalysisTask | ListenTask | HearWholeTask | CheckTask;
type Outcome = AnalysisOutcome | Heard | HeardPassages | Checked;

const ONLY = { ears: listenToFile, places: hearWholeFile, faults: checkFile };

function workOf(task: Task): (task: Task, signal: AbortSignal) => Promise<Outcome> {
  return "only" in task ? ONLY[task.only] : measureFile;
}

function answer(message: FromWorker<Outcome>): void {
  self.postMessage(message, message.kind === "done" ? buffersOf(message.outcome) : []);
}

/** Returns the buffers to transfer instead of copy. */
function buffersOf(outcome: Outcome): ArrayBuffer[] {
  if (outcome === null) return [];
  if (outcome instanceof Float32Array) return [outcome.buffer];
  if ("faults" in outcome) return [];
  if ("likelihoods" in outcome) return [outcome.likelihoods.buffer];
  const picture = outcome.artwork ? [outcome.artwork] : [];
  const { waveform, descriptors, heard, passages } = "measurement" in outcome ? outcome.measurement : {};
  const measured = [waveform, descriptors, heard, passages].filter((values) => values != null);
  const all = [...picture, ...measured];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}
