import { expect, test } from "bun:test";
import { join } from "node:path";

const SCRIPT = join(import.meta.dir, "../../scripts/clients.ts");

test("a client generated as docs/clients.md says passes the type check and runs its program", async () => {
  const child = Bun.spawn([process.execPath, SCRIPT, "--json", "openapi-typescript"], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();

  expect(await child.exited).toBe(0);
  console.log(text.trim());
  const { name, types, printed } = JSON.parse(text);
  expect(name).toBe("openapi-typescript");
  expect(types).toBeGreaterThan(100);
  expect(printed).toMatch(/^1 track for Jonas, 0 plays: http:\/\/127\.0\.0\.1:\d+\/playlist\/[\w-]{22}$/);
});
