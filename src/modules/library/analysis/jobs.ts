import type { LazyJobs } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { TRANSCODE_JOB } from "../renditions/service.ts";
import { LEARN_JOB } from "../tags/service.ts";
import type { AnalysisPool } from "./analyze.ts";
import type { CheckPool } from "./checking/check.ts";
import { MEASURE_READINESS_JOB, recoverChecking } from "./checking/unchecked.ts";
import type { ListenPool } from "./listening/listen.ts";
import type { HearWholePool } from "./places/hear-whole.ts";
import { HEAR_WHOLE_JOB, recoverPlaces } from "./places/unplaced.ts";
import {
  ANALYZE_JOB,
  EMBEDDED_COVERS_JOB,
  LISTEN_JOB,
  REFRESH_JOB,
  recoverAnalyses,
  recoverLearning,
  recoverListening,
  retryWaitingForFfmpeg,
} from "./service.ts";
import type { AlignPool } from "./task.ts";

/** The threads that decode, measure and listen, and those that lay recordings on each other, started for one job each time. */
export type Pools = {
  analysing: AnalysisPool;
  listening: ListenPool;
  hearing: HearWholePool;
  checking: CheckPool;
  aligning: () => AlignPool;
};

/** The jobs that measure tracks, learn from tags, and listen. */
export const analysisJobs = (deps: Deps, { analysing, listening, hearing, checking }: Pools): LazyJobs => ({
  [ANALYZE_JOB]: {
    load: async () => (await import("./analyze.ts")).analyzeHandler(deps, analysing),
    concurrency: deps.settings.analysisConcurrency,
    onLost: () => recoverAnalyses(deps),
  },
  [LEARN_JOB]: {
    load: async () => (await import("./learning/learn.ts")).learnHandler(deps),
    concurrency: 1,
  },
  [REFRESH_JOB]: {
    load: async () => (await import("./learning/refresh.ts")).refreshHandler(deps),
    concurrency: 1,
  },
  [EMBEDDED_COVERS_JOB]: {
    load: async () => (await import("./cover.ts")).embeddedCoversHandler(deps),
    concurrency: 1,
  },
  // No request waits for it.
  [LISTEN_JOB]: {
    load: async () => (await import("./listening/listen.ts")).listenHandler(deps, listening),
    concurrency: Math.min(1, deps.settings.analysisConcurrency),
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB],
  },
  [MEASURE_READINESS_JOB]: {
    load: async () => (await import("./checking/check.ts")).checkHandler(deps, checking),
    concurrency: Math.min(1, deps.settings.analysisConcurrency),
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB, LISTEN_JOB],
  },
  [HEAR_WHOLE_JOB]: {
    load: async () => (await import("./places/hear-whole.ts")).hearWholeHandler(deps, hearing),
    concurrency: Math.min(1, deps.settings.analysisConcurrency),
    givesWayTo: [ANALYZE_JOB, TRANSCODE_JOB, LISTEN_JOB, MEASURE_READINESS_JOB],
  },
});

/** Repairs analyses, learning and listening that the last run left unfinished. */
export function recoverAnalysisJobs(deps: Deps): void {
  recoverAnalyses(deps);
  recoverLearning(deps);
  recoverChecking(deps);
  recoverPlaces(deps);
  if (recoverListening(deps))
    deps.log("info", "Listening again to tracks that were analysed with older ears");
}

/** Analyses again what needed ffmpeg, now that it is there. */
export function analyseWaiting(deps: Deps): void {
  const tracks = retryWaitingForFfmpeg(deps);
  if (tracks > 0) deps.log("info", "ffmpeg was found: analysing the tracks that needed it", { tracks });
}
