import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fixtures } from "./fixtures/surface.ts";
import { createToolApp, type ToolApp } from "./support.ts";

const CLI = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

let app: ToolApp;
beforeAll(async () => {
  app = await createToolApp({ mcp: { extension: fixtures }, withKey: true });
});
afterAll(() => app.close());

describe("the official conformance suite", () => {
  test.each(["2026-07-28", "2025-11-25"])(
    "passes the requirements of revision %s, and fails only those that the file names",
    async (revision) => {
      const results = mkdtempSync(join(tmpdir(), "dubplate-conformance-"));
      const expected = join(import.meta.dir, `conformance-${revision}.yml`);
      const args = ["--requirements", revision, "--expected-failures", expected, "-o", results];

      const child = Bun.spawn([process.execPath, CLI, "server", "--url", `${app.url}/mcp`, ...args], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
      rmSync(results, { recursive: true, force: true });

      expect({ code, output: code === 0 ? "" : output.slice(output.indexOf("=== SUMMARY ===")) }).toEqual({
        code: 0,
        output: "",
      });
      expect(Number(/Total: (\d+) passed/.exec(output)?.[1])).toBeGreaterThan(50);
    },
  );
});
