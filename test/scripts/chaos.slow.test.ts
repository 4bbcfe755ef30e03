import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const CHAOS = join(import.meta.dir, "../../scripts/chaos.ts");
const CHAOS_FAMILIES = join(import.meta.dir, "../../scripts/chaos-families.ts");

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

  test("makes one set of a song's two files, never two, also when it ends between their analyses", async () => {
    const child = Bun.spawn([process.execPath, CHAOS_FAMILIES, "--kills", "2", "--seed", "2"], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^2 kills in \d+ s, \d of them between the analyses of a song's two files: 1 songs$/m,
    );
    expect(stdout).toContain("No violation: each song is one set.");
    expect(await child.exited).toBe(0);
  });
});
