import { giveWay } from "../../kernel/processes.ts";
import { measureFile } from "./measure.ts";
import type { AnalysisOutcome, AnalysisTask } from "./task.ts";
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

self.onmessage = async ({ data }: MessageEvent<ToWorker<AnalysisTask>>) => {
  if (data.kind === "abort") return abort.abort(new DOMException("Analysis stopped", "AbortError"));
  abort = new AbortController();
  try {
    answer({ kind: "done", outcome: await measureFile(data.task, abort.signal) });
  } catch (error) {
    answer({ kind: "error", error: error instanceof Error ? error : new Error(String(error)) });
  }
};

function answer(message: FromWorker<AnalysisOutcome>): void {
  self.postMessage(message, message.kind === "done" ? buffersOf(message.outcome) : []);
}

/** Returns the buffers to transfer instead of copy. */
function buffersOf(outcome: AnalysisOutcome): ArrayBuffer[] {
  const picture = outcome.artwork ? [outcome.artwork] : [];
  const { waveform, descriptors, heard } = "measurement" in outcome ? outcome.measurement : {};
  const measured = [waveform, descriptors, heard].filter((values) => values != null);
  const all = [...picture, ...measured];
  return all.map(({ buffer }) => buffer as ArrayBuffer);
}
