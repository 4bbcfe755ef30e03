import type { LazyJobs } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { AlignPool } from "../../../library/analysis/service.ts";
import { CARRY_JOB } from "../../../library/recordings/service.ts";

/** The job that carries notes from one version into another. */
export const carryJobs = (deps: Deps, { aligning }: { aligning: () => AlignPool }): LazyJobs => ({
  [CARRY_JOB]: {
    load: async () => (await import("./carry.ts")).carryHandler(deps, aligning),
    concurrency: 1,
  },
});
