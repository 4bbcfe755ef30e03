import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const CHAOS = join(import.meta.dir, "../../scripts/chaos.ts");

describe("a server killed again and again", () => {
  test("loses nothing that it acknowledged, stores nothing by half, and finishes all its work", async () => {
    const child = Bun.spawn([process.execPath, CHAOS, "--kills", "3", "--seed", "3"], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

    expect(stderr).toBe("");
    expect(stdout).toContain("No violation.");
    expect(stdout).toMatch(/^3 kills in \d+ s: [1-9]\d* files sent, [1-9]\d* acknowledged/m);
    expect(await child.exited).toBe(0);
  });
});
