import { alignSections } from "../../../../audio/fingerprint/sections.ts";
import { giveWay } from "../../../../kernel/processes.ts";
import type { AlignTask, FromWorker, ToWorker } from "../../../library/analysis/service.ts";

// Entry point of a thread that lays recordings on each other, one pair at a time.
declare const self: Worker;

/** The lowest priority: requests come first. */
const NICENESS = 19;

if (process.platform === "linux") giveWay(0, NICENESS);

self.onmessage = ({ data }: MessageEvent<ToWorker<AlignTask>>) => {
  // A pair takes milliseconds: it is not ended early.
  if (data.kind === "abort") return;
  const answer: FromWorker<ReturnType<typeof alignSections> | null> = {
    kind: "done",
    outcome: alignSections(...data.task) ?? null,
  };
  self.postMessage(answer);
};
