import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimJob } from "../../src/jobs/claim.ts";
import { completeJob, releaseAll } from "../../src/jobs/settle.ts";
import { openEmptyAt } from "../support/empty-library.ts";
import { createQueueTest } from "./support.ts";

test("the job of a killed program is done by the next one", async () => {
  const dir = mkdtempSync(join(tmpdir(), "dubplate-test-"));
  const queue = createQueueTest(openEmptyAt(join(dir, "jobs.db")));
  const id = queue.add({ payload: { side: "A" }, runAt: 0 });

  const program = Bun.spawn(
    [process.execPath, join(import.meta.dir, "claim-and-die.ts"), join(dir, "jobs.db")],
    {
      stdout: "pipe",
    },
  );
  const { value } = await program.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe(`${id}\n`);
  program.kill("SIGKILL");
  await program.exited;
  expect(queue.rows()).toMatchObject([{ state: "running", attempts: 1 }]);
  expect(claimJob(queue.deps, "press")).toBeUndefined();

  expect(releaseAll(queue.deps)).toBe(1);
  const job = claimJob(queue.deps, "press");

  expect(job).toMatchObject({ id, payload: { side: "A" }, attempts: 2 });
  expect(job && completeJob(queue.deps, job)).toBe("done");
  queue.deps.db.$client.close();
  rmSync(dir, { recursive: true });
});
