import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { createProgram } from "../support/process.ts";

const SHA256 = "a".repeat(64);
const platform = `${process.platform}-${process.arch}`;
const release = (latest: string) => ({
  program: "dubplate",
  version: latest,
  files: [{ name: `dubplate-${latest}-${platform}`, platform, bytes: 5, sha256: SHA256 }],
});

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/newer/release.json": release("99.0.0"),
  "/same/release.json": release(version),
  "/older/release.json": release("0.0.9"),
  "/other/release.json": { ...release("99.0.0"), program: "something-else" },
  "/path/release.json": { ...release("99.0.0"), files: [{ ...release("99.0.0").files[0], name: "../../x" }] },
};
const asked: string[] = [];
const releases = Bun.serve({
  port: 0,
  fetch: ({ url, headers }) => {
    const { pathname } = new URL(url);
    asked.push(`${pathname} ${headers.get("cookie") ?? ""}`);
    return pathname in ANSWERS ? Response.json(ANSWERS[pathname]) : new Response("<html>", { status: 200 });
  },
});
const host = `127.0.0.1:${releases.port}`;
const program = createProgram({ NETWORK_ALLOW: host });
afterAll(async () => {
  await releases.stop(true);
  await program.close();
});
const check = (path: string) => program.run(["update", "--check", "--from", `http://${host}${path}`]);

describe("update --check", () => {
  test("names the newer version, and where its executable is", async () => {
    const { code, rows } = await check("/newer/release.json");

    expect(code).toBe(0);
    expect(rows).toEqual([
      {
        version,
        latest: "99.0.0",
        newer: true,
        file: { url: `http://${host}/newer/dubplate-99.0.0-${platform}`, bytes: 5, sha256: SHA256 },
      },
    ]);
  });

  test.each(["/same/release.json", "/older/release.json"])(
    "update --check says that there is no newer version at %s",
    async (path) => {
      expect(await check(path)).toMatchObject({ code: 0, rows: [{ newer: false }] });
    },
  );

  test.each(["/other/release.json", "/path/release.json", "/page"])(
    "update --check refuses an answer that is not a release: %s",
    async (path) => {
      expect(await check(path)).toMatchObject({
        code: 1,
        rows: [],
        stderr: expect.stringContaining("UPDATE_URL"),
      });
    },
  );

  test("reads the address from UPDATE_URL, and makes no data folder", async () => {
    const extra = { UPDATE_URL: `http://${host}/newer/release.json` };

    expect(await program.run(["update", "--check"], { extra })).toMatchObject({ code: 0 });
    expect(existsSync(join(program.dataDir, "dubplate.db"))).toBe(false);
  });

  test("goes through the one outbound door: a private address that is not allowed is refused", async () => {
    const before = asked.length;

    const { code } = await program.run(["update", "--check", "--from", `http://${host}/newer/release.json`], {
      extra: { NETWORK_ALLOW: "" },
    });

    expect([code, asked.length]).toEqual([1, before]);
  });

  test.each([
    [["update"], 2],
    [["update", "--check"], 1],
  ])("the command %p ends with %i", async (args, code) => {
    expect(await program.run(args)).toMatchObject({ code, rows: [] });
  });
});
