import { stateOf } from "../http/request-state.ts";
import type { Happening } from "../kernel/meter.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { createCounter, createHistogram, LONG_SECONDS, SECONDS } from "./registry.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Counts of what happens, from the start of the server. */
export type Counts = {
  note: (happening: Happening) => void;
  /** Counts a request when its answer begins. */
  answer: (request: Request, response: Response, route: string) => void;
  /** Names of the kinds of jobs that the server runs. */
  jobNames: readonly string[];
  text: () => string;
};

/** Returns counts that are all zero. */
export function createCounts(): Counts {
  const http = httpCounts();
  const work = workCounts();
  return {
    note: work.note,
    answer: http.answer,
    jobNames: work.jobNames,
    text: () => [...http.all, ...work.all].map((each) => each.text()).join(""),
  };
}

function httpCounts() {
  const requests = createCounter(
    "dubplate_http_requests_total",
    "Answered requests by route, method and status.",
  );
  const durations = createHistogram(
    "dubplate_http_request_duration_seconds",
    "Time from a request to the beginning of its answer.",
    SECONDS,
  );
  const sent = createCounter(
    "dubplate_stream_bytes_total",
    "Bytes of audio in answers, counted when the answer begins.",
    [{}],
  );
  const answer: Counts["answer"] = (request, response, route) => {
    const method = METHODS.includes(request.method) ? request.method : "other";
    requests.add({ route, method, status: String(response.status) });
    durations.observe({ route }, (performance.now() - stateOf(request).startedAt) / SECOND_MS);
    if (method === "GET" && response.headers.get("content-type")?.startsWith("audio/"))
      sent.add({}, Number(response.headers.get("content-length") ?? 0));
  };
  return { answer, all: [requests, durations, sent] };
}

function workCounts() {
  const uploads = createCounter("dubplate_uploads_bytes_total", "Bytes of audio files taken in.", [{}]);
  const jobs = createHistogram(
    "dubplate_job_duration_seconds",
    "Time of runs of background jobs by name.",
    LONG_SECONDS,
  );
  const runs = createCounter("dubplate_job_runs_total", "Runs of background jobs by name and outcome.");
  const analyses = createCounter(
    "dubplate_analyses_total",
    "Finished analyses by result.",
    ["completed", "failed"].map((result) => ({ result })),
  );
  const deliveries = createCounter(
    "dubplate_webhook_deliveries_total",
    "Attempted webhook deliveries by outcome.",
    ["delivered", "failed"].map((outcome) => ({ outcome })),
  );
  const searches = createHistogram(
    "dubplate_search_duration_seconds",
    "Time of searches by brief.",
    SECONDS,
    [{}],
  );
  const slow = createCounter("dubplate_slow_queries_total", "SQL statements over SLOW_QUERY_MS.", [{}]);
  const busy = createCounter(
    "dubplate_sqlite_busy_total",
    "Statements that gave up waiting for a lock of the database.",
    [{}],
  );
  const jobNames: string[] = [];
  const counters: { [Kind in Happening["kind"]]: (happening: Extract<Happening, { kind: Kind }>) => void } = {
    "job names": ({ names }) => void jobNames.push(...names),
    job: ({ name, outcome, seconds }) => {
      jobs.observe({ name }, seconds);
      runs.add({ name, outcome });
    },
    upload: ({ bytes }) => uploads.add({}, bytes),
    analysis: ({ result }) => analyses.add({ result }),
    delivery: ({ outcome }) => deliveries.add({ outcome }),
    search: ({ seconds }) => searches.observe({}, seconds),
    "slow statement": () => slow.add({}),
    busy: () => busy.add({}),
  };
  const note = (happening: Happening): void =>
    (counters[happening.kind] as (happening: Happening) => void)(happening);
  return { note, jobNames, all: [uploads, jobs, runs, analyses, deliveries, searches, slow, busy] };
}
