import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

test("a release is refused for a platform that does not exist, and names those that do", async () => {
  const child = Bun.spawn([process.execPath, "scripts/release.ts", "amiga"], {
    cwd: ROOT,
    stderr: "pipe",
    stdout: "ignore",
  });
  const said = await new Response(child.stderr).text();

  expect(await child.exited).toBe(2);
  expect(said).toContain("amiga");
  const platforms = said.trim().split(": ").at(-1)?.split(", ") ?? [];
  expect(platforms).toEqual(
    expect.arrayContaining(["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"]),
  );
  const lock = await Bun.file(join(ROOT, "bun.lock")).text();
  for (const platform of platforms)
    expect(lock).toContain(`sqlite-vec-${platform.replace("-baseline", "")}@`);
});
