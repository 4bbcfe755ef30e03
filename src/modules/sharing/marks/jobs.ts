import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MARK_JOB } from "./delivery.ts";

/** The job that makes marked copies, one at a time. */
export const markJobs = (deps: Deps): LazyJobs => ({
  [MARK_JOB]: {
    load: async () => (await import("./make.ts")).markHandler(deps),
    concurrency: 1,
  },
});
