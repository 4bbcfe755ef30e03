import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MARK_LINKS_JOB } from "../marks/service.ts";
import { answeredMailJobs } from "./told/jobs.ts";

/** What is done for links later. */
export const shareJobs = (deps: Deps): LazyJobs => ({
  ...answeredMailJobs(deps),
  [MARK_LINKS_JOB]: {
    load: async () => (await import("./marking.ts")).markLinksHandler(deps),
    concurrency: 1,
  },
});
