import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { reportSlowStatements } from "../../src/kernel/slow-statements.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { type ParsedMetric, parseMetrics } from "./text-format.ts";

const TOKEN = "a-token-of-the-operator";
const RATE_HZ = 8000;

let app: TestApp;
let plain: TestApp;
let secrets: string[];
let upload: Uint8Array<ArrayBuffer>;
let metrics: Map<string, ParsedMetric>;
let text: string;

const scrape = (token?: string, of = app) =>
  of.request("/metrics", { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const value = (series: string) =>
  metrics.get(series.replace(/\{.*/, "").replace(/_(count|sum)$/, ""))?.samples.get(series);

beforeAll(async () => {
  plain = await createTestApp();
  app = await createTestApp({ settings: { metricsToken: TOKEN } });
  const { accountId, email } = app.createAccount("ana@example.com");
  const key = app.createKey(accountId);
  const call = app.as(key);
  upload = wavBytes([sine(RATE_HZ, 1, 440)], RATE_HZ, 16);
  const form = new FormData();
  form.append("files", new File([upload], "dawn.wav"));
  const { body } = await call("POST", "/tracks/upload", form);
  const [{ id: trackId }] = body.data.uploaded;
  await app.drainJobs();
  const versions = await call("GET", `/tracks/${trackId}/versions`);
  const [version] = versions.body.data.versions;
  await app.request(version.downloadUrl, { headers: { range: "bytes=0-999" } });
  await call("POST", "/tracks/search", { query: "something calm" });
  await call("GET", "/tracks/trk_of_nobody/versions");
  await app.request("/playlist/a-link-that-nobody-has");
  await app.request("/wp-login.php");
  await app.request("/wp-login.php", { method: "PROPFIND" });
  secrets = [accountId, email, key, key.slice(0, 12), trackId, version.id, "dawn", "127.0.0.1"];
  reportSlowStatements({ ...app.deps, settings: { slowQueryMs: 1 } });
  app.deps.db.$client
    .query(
      "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) SELECT max(x) FROM n",
    )
    .get();
  await scrape(TOKEN);
  text = await (await scrape(TOKEN)).text();
  metrics = parseMetrics(text);
});
afterAll(() => Promise.all([app.close(), plain.close()]));

describe("/metrics", () => {
  test("does not exist without METRICS_TOKEN, whatever is sent", async () => {
    expect((await scrape(undefined, plain)).status).toBe(404);
    expect((await scrape(TOKEN, plain)).status).toBe(404);
  });

  test.each([
    ["no token", undefined],
    ["another token", "a-token-of-a-stranger"],
    ["a part of the token", TOKEN.slice(0, -1)],
    ["an empty token", ""],
  ])("refuses %s", async (_, token) => {
    const response = await scrape(token);

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.text()).not.toContain("dubplate_");
  });

  test("/metrics says in which format it answers, and is not kept by caches", async () => {
    const { status, headers } = await scrape(TOKEN);

    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("names no account, track, key, address or title", () => {
    for (const name of secrets) expect(text).not.toContain(name);
  });

  test("has exactly the metrics that docs/deploy.md lists, with their types", async () => {
    const docs = await Bun.file(join(import.meta.dir, "../../docs/deploy.md")).text();
    const listed = [...docs.matchAll(/^\| `(\w+)(?:\{([\w,]+)\})?` \| (counter|gauge|histogram) \|/gm)];
    // Those of backups appear with the first one.
    const later = /^dubplate_(backup_last|verify|replica_(last|findings))/;

    const told = [...metrics].map(([name, { type }]) => `${name} ${type}`);

    expect(told.sort()).toEqual(
      listed.flatMap(([, name, , type]) => (later.test(name ?? "") ? [] : [`${name} ${type}`])).sort(),
    );
  });
});

describe("the metrics count", () => {
  test.each([
    [
      "requests by the pattern of their route",
      'dubplate_http_requests_total{route="/api/v1/tracks/{trackId}/versions",method="GET",status="404"}',
      1,
    ],
    [
      "requests of pages",
      'dubplate_http_requests_total{route="/playlist/{token}",method="GET",status="404"}',
      1,
    ],
    ["requests for nothing", 'dubplate_http_requests_total{route="unmatched",method="GET",status="404"}', 1],
    [
      "methods that nobody knows",
      'dubplate_http_requests_total{route="unmatched",method="other",status="404"}',
      1,
    ],
    ["how long they took", 'dubplate_http_request_duration_seconds_count{route="unmatched"}', 2],
    ["bytes of audio that are played", "dubplate_stream_bytes_total", 1000],
    ["analyses", 'dubplate_analyses_total{result="completed"}', 1],
    ["runs of jobs", 'dubplate_job_runs_total{name="analyze",outcome="done"}', 1],
    ["how long jobs took", 'dubplate_job_duration_seconds_count{name="analyze"}', 1],
    ["searches", "dubplate_search_duration_seconds_count", 1],
    ["tracks that can be found", "dubplate_search_index_rows", 1],
    ["jobs that wait", 'dubplate_jobs{name="learn-tags",state="waiting"}', 0],
    ["how long they wait", 'dubplate_job_oldest_waiting_seconds{name="analyze"}', 0],
  ])("the metrics count %s", (_, series, count) => {
    expect([series, value(series)]).toEqual([series, count]);
  });

  test("the metrics count the bytes taken in, and where they are", () => {
    expect(value("dubplate_uploads_bytes_total")).toBe(upload.length);
    expect(value('dubplate_storage_bytes{kind="audio"}')).toBe(upload.length);
  });

  test("the metrics count slow statements", () => {
    expect(value("dubplate_slow_queries_total")).toBeGreaterThan(0);
  });

  test("the metrics say what the process uses", () => {
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(value("dubplate_storage_free_bytes")).toBeGreaterThan(0);
  });
});
