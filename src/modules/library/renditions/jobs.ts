import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { recoverRenditions, TRANSCODE_JOB } from "./service.ts";

/** The job that makes renditions, one at a time: they can wait for analyses. */
export const renditionJobs = (deps: Deps): LazyJobs => ({
  [TRANSCODE_JOB]: {
    load: async () => (await import("./transcode.ts")).transcodeHandler(deps),
    concurrency: 1,
  },
});

/** Makes the renditions that are missing. */
export async function makeMissing(deps: Deps, signal: AbortSignal): Promise<void> {
  const renditions = await recoverRenditions(deps, signal);
  if (renditions > 0) deps.log("info", "Making missing renditions", { renditions });
}
