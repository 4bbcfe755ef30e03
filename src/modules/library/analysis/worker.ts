import type { HeardPassages } from "../../../ears/places.ts";
import { giveWay } from "../../../kernel/processes.ts";
import { checkFile, hearWholeFile, listenToFile, measureFile } from "./measure.ts";
import { measureReference } from "./measure-reference.ts";
import type {
  AnalysisOutcome,
  AnalysisTask,
  Checked,
  CheckTask,
  Heard,
  HearWholeTask,
  ListenTask,
  ReferenceOutcome,
  ReferenceTask,
} from "./task.ts";
import type { FromWorker, ToWorker } from "./worker-pool.ts";

// Entry point of an analysis thread. It runs one task at a time; an "abort" message ends it early.
declare const self: Worker;

/** The lowest priority: requests come first. Somebody waits for a reference, and so it comes before analyses. */
const NICENESS = 19;
const NICENESS_OF_REFERENCE = 5;

/** Whether this thread has its priority: it has one kind of task, which its first one tells. */
let isNice = false;

function beNice(task: Task): void {
  if (isNice) return;
  isNice = true;
  // On Linux this sets the niceness of this thread and the child processes it starts. Elsewhere it would slow down the
  // whole program.
  if (process.platform === "linux") giveWay(0, isReference(task) ? NICENESS_OF_REFERENCE : NICENESS);
}

let abort = new AbortController();

self.onmessage = async ({ data }: MessageEvent<ToWorker<Task>>) => {
  if (data.kind === "abort") return abort.abort(new DOMException("Analysis stopped", "AbortError"));
  abort = new AbortController();
  beNice(data.task);
  try {
    answer({ kind: "done", outcome: await outcomeOf(data.task, abort.signal) });
  } catch (error) {
    answer({ kind: "error", error: error instanceof Error ? error : new Error(String(error)) });
  }
};

type Task = AnalysisTask | ListenTask | HearWholeTask | CheckTask | ReferenceTask;
type Outcome = AnalysisOutcome | Heard | HeardPassages | Checked | ReferenceOutcome;

const ONLY = { ears: listenToFile, places: hearWholeFile, faults: checkFile };

const isReference = (task: Task): task is ReferenceTask => "only" in task && task.only === "reference";

function outcomeOf(task: Task, signal: AbortSignal): Promise<Outcome> {
  if (isReference(task)) return measureReference(task, signal);
  const work = "only" in task ? ONLY[task.only] : measureFile;
  return work(task, signal);
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
  if (!("info" in outcome)) return [];
  const picture = outcome.artwork ? [outcome.artwork] : [];
  const { waveform, descriptors, heard, passages } = "measurement" in outcome ? outcome.measurement : {};
  const measured = [waveform, descriptors, heard, passages].filter((values) => values != null);
  const all = [...picture, ...measured];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}
