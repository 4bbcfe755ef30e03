import { expect, test } from "bun:test";
import { join } from "node:path";

const ATTACKS = join(import.meta.dir, "../../scripts/upgrade-attacks.ts");

test("an upgrade that fails, is killed or runs out of room leaves the library as it was, and the way back", async () => {
  const child = Bun.spawn([process.execPath, ATTACKS, "--kills", "4", "--tracks", "2000", "--seed", "2"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(stdout).toEndWith("No violation.\n");
  expect(stdout).toContain("3 starts with a table in the way\n");
  expect(stdout).toContain("4 kills: ");
  expect(await child.exited).toBe(0);
});
