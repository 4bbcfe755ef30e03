// Test thread: does what each task says.
import type { FromWorker, ToWorker } from "../../src/modules/library/analysis/worker-pool.ts";

declare const self: Worker;
export type Order = "answer" | "report" | "throw" | "exit" | "wait" | "hang";

const say = (message: FromWorker<string>) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker<Order>>) => {
  if (data.kind === "abort") return say({ kind: "error", error: new Error("stopped as told") });
  if (data.task === "answer") say({ kind: "done", outcome: "the answer" });
  if (data.task === "report") say({ kind: "error", error: new Error("no room") });
  if (data.task === "throw") throw new Error("out of its mind");
  if (data.task === "exit") process.exit(7);
  while (data.task === "hang");
};
