import { expect, test } from "bun:test";
import { join } from "node:path";
import { soakLoad } from "../../scripts/bench/soak-load.ts";

const BENCH = join(import.meta.dir, "../../scripts/bench.ts");

test("every answer is correct under a mixed load on 64 connections", async () => {
  const child = Bun.spawn([process.execPath, BENCH, "soak", "--seconds", "5", "--tracks", "500"], {
    stdout: "pipe",
    stderr: "pipe",
  });

  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(await child.exited).toBe(0);
  expect(stdout).toMatch(/requests on 64 connections, 5 s +0 wrong/);
  for (const kind of ["read", "search", "write", "stream"])
    expect(stdout).toMatch(new RegExp(`${kind} \\([1-9][\\d ]*\\) +p50 [\\d.]+ ms, p99 [\\d.]+ ms`));
});

test.each([
  ["a server error", 503, {}, "was answered 503"],
  [
    "an answer about something else",
    200,
    { data: { track: { id: "trk_other" } } },
    "trk_other came instead of",
  ],
])("%s is counted as wrong", async (_, status, body, told) => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(body, { status }) });

  const { errors, firstErrors } = await soakLoad({
    address: `http://127.0.0.1:${server.port}`,
    key: "key",
    connections: 2,
    durationMs: 100,
    trackIds: ["trk_one", "trk_two"],
    queries: [{ query: "anything" }],
    streams: [{ path: "/none", file: import.meta.path }],
  });

  await server.stop(true);
  expect(errors).toBeGreaterThan(0);
  expect(firstErrors.join("\n")).toContain(told);
});
