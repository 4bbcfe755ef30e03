import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { ANALYZE_JOB } from "../analysis/service.ts";
import { SUM_STEMS_JOB } from "../families/service.ts";
import { RELATE_JOB } from "../recordings/service.ts";
import { TRANSCODE_JOB } from "../renditions/service.ts";
import { RELATE_OLD_JOB } from "./old.ts";
import type { RelatePool } from "./task.ts";

/** The jobs that find what is of one song. No request waits for them. */
export const kinshipJobs = (deps: Deps, { relating }: { relating: RelatePool }): LazyJobs => ({
  [RELATE_JOB]: {
    load: async () => (await import("./relate.ts")).relateHandler(deps, relating),
    concurrency: 1,
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB],
  },
  [SUM_STEMS_JOB]: {
    load: async () => (await import("./sum-stems.ts")).sumStemsHandler(deps, relating),
    concurrency: 1,
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB, RELATE_JOB],
  },
  [RELATE_OLD_JOB]: {
    load: async () => (await import("./relate-old.ts")).relateOldHandler(deps, relating),
    concurrency: 1,
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB, RELATE_JOB],
  },
});
