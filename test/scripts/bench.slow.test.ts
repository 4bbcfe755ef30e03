import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { atLeast, atMost, grouped, median, table } from "../../scripts/bench/figures.ts";
import { responseReader } from "../../scripts/bench/response-reader.ts";

const BENCH = join(import.meta.dir, "../../scripts/bench.ts");

async function run(...args: string[]) {
  const child = Bun.spawn([process.execPath, BENCH, ...args], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

describe("bun run bench", () => {
  test("prints the figures of a section beside their yardstick and aim", async () => {
    const { stdout, stderr, exitCode } = await run("start", "--quick");

    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^start\n {2}start to first 200 of \/health +\d+ ms .*bare Bun\.serve \d+ ms +\(aim at most 250 ms/,
    );
  });

  test("lists the sections when asked for an unknown one", async () => {
    const { stdout, stderr, exitCode } = await run("nonsense");

    expect(exitCode).toBe(1);
    expect(stderr).toContain("http, upload, start, analysis");
    expect(stdout).toBe("");
  });
});

describe("figures", () => {
  test.each([
    ["an odd number", [5, 1, 9], 5],
    ["an even number", [4, 1, 2, 9], 3],
    ["one", [7], 7],
    ["none", [], Number.NaN],
  ])("the median of %s of values", (_, values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test("numbers are grouped by thousands", () => {
    expect([999.4, 1000, 13_900.2, 1_234_567].map(grouped)).toEqual(["999", "1 000", "13 900", "1 234 567"]);
  });

  test("columns are aligned, and a missed aim is named", () => {
    const lines = table([
      { what: "fast", figure: "10 ms", yardstick: "bare 1 ms", aim: atMost(10, 300, "ms") },
      { what: "much slower", figure: "1 ms", yardstick: "raw 2 ms", share: 0.5, aim: atLeast(0.5, 0.65) },
    ]).split("\n");

    expect(lines).toEqual([
      "  fast          10 ms   bare 1 ms                (aim at most 300 ms)",
      "  much slower   1 ms    raw 2 ms    share 0.50   (aim at least 0.65: MISSED)",
    ]);
  });
});

describe("reading answers off a connection", () => {
  const answer = Buffer.from("HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhello");

  test("an answer in one piece is complete at once", () => {
    const reader = responseReader();

    expect(reader.push(answer)).toBe(true);
    expect(reader.status()).toBe(404);
  });

  test("an answer is complete with its last byte, wherever it was split", () => {
    for (let cut = 1; cut < answer.length; cut++) {
      const reader = responseReader();

      expect(reader.push(answer.subarray(0, cut))).toBe(false);
      expect(reader.push(answer.subarray(cut))).toBe(true);
      expect(reader.push(answer)).toBe(true);
    }
  });

  test("more bytes than declared are an error", () => {
    const reader = responseReader();

    expect(() => reader.push(Buffer.concat([answer, answer]))).toThrow("longer");
  });
});
