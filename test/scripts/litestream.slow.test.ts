import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const SCRIPTS = join(import.meta.dir, "../../scripts");

async function run(script: string, args: string[], env: Record<string, string | undefined> = Bun.env) {
  const child = Bun.spawn([process.execPath, join(SCRIPTS, script), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

describe.each(["litestream.ts", "litestream-log.ts"])("%s", (script) => {
  test("says that Litestream is missing, and does not look like a success", async () => {
    const { code, stderr } = await run(script, [], { PATH: "/nowhere" });

    expect(code).toBe(3);
    expect(stderr).toBe("litestream was not found: install it, or set LITESTREAM_PATH\n");
  });
});

test.skipIf(Bun.which(Bun.env.LITESTREAM_PATH ?? "litestream") === null)(
  "a replica is sound after server and Litestream were killed, and becomes the library again",
  async () => {
    const { code, stdout } = await run("litestream.ts", ["--rounds", "2", "--kinds", "1"]);

    expect(stdout).toMatch(/^\| both killed at once \| 2 \| 2 \| 0 \| .* \| 2 \|$/m);
    expect(stdout).toContain("No failure.");
    expect(code).toBe(0);
  },
);
