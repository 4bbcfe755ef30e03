import { expect, test } from "bun:test";
import { join } from "node:path";

const CHAOS = join(import.meta.dir, "../../scripts/chaos-webhooks.ts");

test("a server killed again and again tells every receiver about every change, and nothing else", async () => {
  const child = Bun.spawn([process.execPath, CHAOS, "--kills", "4", "--seed", "2"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(stdout).toContain("No violation.");
  expect(stdout).toMatch(
    /^4 kills in \d+ s: [1-9]\d* changes sent, [1-9]\d* acknowledged, [1-9]\d* events to 8/m,
  );
  expect(await child.exited).toBe(0);
});
