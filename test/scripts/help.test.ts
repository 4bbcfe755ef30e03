import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readSource, sourceFiles } from "../support/source.ts";

test("--help says how a script is called, and does nothing else", async () => {
  const script = Bun.spawn([process.execPath, "scripts/build.ts", "--help"], { cwd: ROOT, stdout: "pipe" });

  const [text, code] = [await new Response(script.stdout).text(), await script.exited];

  expect(code).toBe(0);
  expect(text).toContain("usage: bun scripts/build.ts [FILE]");
  expect(existsSync(join(ROOT, "--help"))).toBe(false);
});

test("every script that says how it is called answers --help", async () => {
  const silent: string[] = [];
  for (const file of sourceFiles.filter((each) => /^scripts\/[\w-]+\.ts$/.test(each))) {
    const source = await readSource(file);
    if (/^ \* usage/im.test(source) && !source.includes('import "./support/help.ts";')) silent.push(file);
  }

  expect(silent).toEqual([]);
});
