import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { FILL_JOB, fillHandler, recoverSounds } from "./fill.ts";

/** The job that makes the vectors of tracks that have none of this version's kind. */
export const soundJobs = (deps: Deps): LazyJobs => ({
  [FILL_JOB]: { load: async () => fillHandler(deps), concurrency: 1 },
});

/** Makes missing vectors. */
export function makeMissingSounds(deps: Deps): void {
  if (recoverSounds(deps)) deps.log("info", "Making the vectors that tracks are compared by");
}
