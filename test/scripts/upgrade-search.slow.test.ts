import { expect, test } from "bun:test";
import { join } from "node:path";

const SEARCH = join(import.meta.dir, "../../scripts/upgrade-search.ts");

test("a library of an earlier schema can be searched from the first moment after its upgrade", async () => {
  const child = Bun.spawn([process.execPath, SEARCH, "--only", "1", "--tracks", "300"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);

  expect(stderr).toBe("");
  expect(stdout).toEndWith(", no violation.\n");
  expect(await child.exited).toBe(0);
});
