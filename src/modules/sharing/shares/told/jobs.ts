import type { LazyJobs } from "../../../../jobs/job.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { ANSWERED_MAIL_JOB } from "../../comments/service.ts";

/** The job that writes to the recipients of links that their notes are answered. */
export const answeredMailJobs = (deps: Deps): LazyJobs => ({
  [ANSWERED_MAIL_JOB]: {
    load: async () => (await import("./answered-mail.ts")).answeredMailHandler(deps),
    concurrency: 1,
  },
});
