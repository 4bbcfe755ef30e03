import { expect, test } from "bun:test";
import { join } from "node:path";

const KILLS = join(import.meta.dir, "../../scripts/reference-kills.ts");

test("a server killed while sounds are compared keeps nothing of them", async () => {
  const child = Bun.spawn([process.execPath, KILLS, "--kills", "3"], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(stdout).toMatch(/^3 kills in \d+ s: [1-9]\d* sounds sent, \d+ answered; 0 violations$/m);
  expect(await child.exited).toBe(0);
});
