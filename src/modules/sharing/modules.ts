import type { Module } from "../module.ts";
import { carryJobs } from "./comments/carry/jobs.ts";
import { carryMissing } from "./comments/carry/recover.ts";
import { markerOperations } from "./comments/marker-operations.ts";
import { commentOperations } from "./comments/operations.ts";
import { reviewOperations } from "./comments/review-operations.ts";
import { insightOperations } from "./insights/operations.ts";
import { leakOperations } from "./leaks/operations.ts";
import { markJobs } from "./marks/jobs.ts";
import { resealMarks, setAsideEnded, transferMarks } from "./marks/service.ts";

/** The modules beside links, with what they contribute. */
export const SHARING = [
  {
    name: "sharing/comments",
    jobs: carryJobs,
    recoverLater: carryMissing,
    operations: [...commentOperations, ...reviewOperations, ...markerOperations],
    exported: () => import("./comments/export.ts"),
  },
  {
    name: "sharing/marks",
    jobs: markJobs,
    prune: { run: setAsideEnded, failure: "Copies of links that have ended could not be set aside" },
    transfer: transferMarks,
    exported: () => import("./marks/export.ts"),
    sealed: { marks: resealMarks },
  },
  { name: "sharing/insights", operations: insightOperations },
  { name: "sharing/leaks", operations: leakOperations },
] as const satisfies readonly Module[];
