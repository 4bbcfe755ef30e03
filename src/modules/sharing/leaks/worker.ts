import { giveWay } from "../../../kernel/processes.ts";
import type { FromWorker, ToWorker } from "../../library/analysis/service.ts";
import { measure } from "./measure.ts";
import type { LeakOutcome, LeakTask } from "./task.ts";

// Entry point of the thread that looks into leaks. It runs one task at a time; an "abort" message ends it early.
declare const self: Worker;

/** Somebody waits for it, and requests come first. */
const NICENESS = 5;

// On Linux this sets the niceness of this thread and of the child processes that it starts.
if (process.platform === "linux") giveWay(0, NICENESS);

let abort = new AbortController();

self.onmessage = async ({ data }: MessageEvent<ToWorker<LeakTask>>) => {
  if (data.kind === "abort") return abort.abort(new DOMException("Look-up stopped", "AbortError"));
  abort = new AbortController();
  try {
    answer({ kind: "done", outcome: await measure(data.task, abort.signal) });
  } catch (error) {
    answer({ kind: "error", error: error instanceof Error ? error : new Error(String(error)) });
  }
};

function answer(message: FromWorker<LeakOutcome>): void {
  const isSample = message.kind === "done" && message.outcome instanceof Uint8Array;
  self.postMessage(message, isSample ? [(message.outcome as Uint8Array<ArrayBuffer>).buffer] : []);
}
