import { expect, test } from "bun:test";
import { join } from "node:path";

const CHAOS = join(import.meta.dir, "../../scripts/chaos-reviews.ts");

test("a server killed while three people review loses no note, answer or verdict, and misplaces none", async () => {
  const child = Bun.spawn([process.execPath, CHAOS, "--kills", "4", "--seed", "5"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(stdout).toContain("No violation.");
  expect(stdout).toMatch(/^4 kills in \d+ s: [1-9]\d* notes, .* [1-9]\d* places$/m);
  expect(await child.exited).toBe(0);
});
