import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackExtension } from "@anthropic-ai/mcpb";
import { TOOL_SERVER } from "../../src/modules/outward/service/shapes.ts";
import { TABLE } from "./specification.ts";
import { createToolApp } from "./support.ts";

const ROOT = join(import.meta.dir, "../..");
/** Node, which the bundle is made for, if it is installed. */
const NODE = Bun.which("node") ?? process.execPath;
const folder = mkdtempSync(join(tmpdir(), "dubplate-packaging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bundle", () => {
  test("is built, names every tool, and passes on messages with only Node", async () => {
    const file = join(folder, "dubplate.mcpb");
    const built = Bun.spawn([process.execPath, join(ROOT, "scripts/build-mcpb.ts"), file], {
      stdout: "ignore",
    });
    expect(await built.exited).toBe(0);
    const unpacked = join(folder, "unpacked");
    await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true });
    const manifest = await Bun.file(join(unpacked, "manifest.json")).json();

    const app = await createToolApp();
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_track_count", arguments: {} },
    };
    const { args, env } = manifest.server.mcp_config;
    const child = Bun.spawn([NODE, ...args.map((arg: string) => arg.replace(/\$\{__dirname\}/, unpacked))], {
      env: { PATH: process.env.PATH ?? "", ...filledIn(env, { url: app.url, api_key: app.key }) },
      stdin: new Blob([`${JSON.stringify(call)}\n`]),
      stdout: "pipe",
    });
    const answer = JSON.parse(await new Response(child.stdout).text());
    await app.close();

    expect(await child.exited).toBe(0);
    expect(answer.result.structuredContent).toEqual({ count: 0 });
    expect(manifest.version).toBe(TOOL_SERVER.version);
    expect(manifest.tools.map(({ name }: { name: string }) => name)).toEqual(TABLE.map(({ name }) => name));
    expect(manifest.user_config.api_key.sensitive).toBe(true);
  });
});

const filledIn = (env: Record<string, string>, values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{user_config\.(\w+)\}/, (_, key) => values[key] ?? ""),
    ]),
  );

test("server.json has the fields that registries require", async () => {
  const { name, description, version, remotes } = await Bun.file(join(ROOT, "server.json")).json();

  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  expect(version).toBe(TOOL_SERVER.version);
  expect(remotes[0]).toMatchObject({ type: "streamable-http", url: expect.stringMatching(/^\{\w+\}\/mcp$/) });
});

test("docs/assistants.md has one line for each tool with its scopes, in the order of the list", async () => {
  const page = await Bun.file(join(ROOT, "docs/assistants.md")).text();
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .+ \| (.+) \|$/gm)];

  const documented = rows.map(([, name, scopes = ""]) => [name, scopes.replaceAll("`", "").split(" ")]);

  expect(documented).toEqual(TABLE.map(({ name, scopes }) => [name, scopes.split(" ")]));
});
