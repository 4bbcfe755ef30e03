import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import * as current from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Json, jsonOf } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";

/** The product as people run it: a server, and the `mcp` command with and without it. */

const INSPECTOR = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
);
const program = createProgram();
const sleeping = createProgram();
let url: string;
/** Keys of the server's library, and of one that no server has open. */
let key: string;
let localKey: string;

const newKey = async ({ run }: typeof program): Promise<string> => {
  await run(["account", "create", "--email", "a@example.com", "--name", "A", "--password", "long enough"]);
  const { rows } = await run(["key", "create", "--email", "a@example.com", "--name", "assistant"]);
  return String(rows[0]?.key);
};

beforeAll(async () => {
  [key, localKey] = await Promise.all([newKey(program), newKey(sleeping)]);
  url = (await program.serve({ RATE_LIMIT: "0" })).address;
});
afterAll(() => Promise.all([program.close(), sleeping.close()]));

type Stdio = { command: string; args: string[]; env: Record<string, string>; stderr: "pipe" };
const [command = "", ...args] = PROGRAM;
const stdio = (env: Record<string, string>): Stdio => ({
  command,
  args: [...args, "mcp"],
  env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", ...env },
  stderr: "pipe",
});
const WAYS: [string, () => Stdio][] = [
  [
    "to a running server",
    () => stdio({ DUBPLATE_URL: url, DUBPLATE_API_KEY: key, DATA_DIR: "/nonexistent" }),
  ],
  ["to the library itself", () => stdio({ DATA_DIR: sleeping.dataDir, DUBPLATE_API_KEY: localKey })],
];

type Talker = {
  listTools: () => Promise<{ tools: { name: string }[] }>;
  callTool: (params: { name: string; arguments: Json }) => Promise<Json>;
  listPrompts: () => Promise<{ prompts: unknown[] }>;
  readResource: (params: { uri: string }) => Promise<Json>;
  getInstructions: () => string | undefined;
  close: () => Promise<void>;
};

/** Does what an assistant does first. */
async function talk(client: Talker): Promise<void> {
  const { tools } = await client.listTools();
  const counted = await client.callTool({ name: "get_track_count", arguments: {} });
  const refused = await client.callTool({ name: "get_playlist", arguments: { playlistId: "pl_x" } });
  const { contents } = await client.readResource({ uri: "dubplate://taxonomy" });

  expect(tools).toHaveLength(39);
  expect(counted.structuredContent).toEqual({ count: 0 });
  expect([refused.isError, refused.content[0].text]).toEqual([
    true,
    expect.stringContaining("PLAYLIST_NOT_FOUND"),
  ]);
  expect((await client.listPrompts()).prompts).toHaveLength(3);
  expect(contents[0].text).toContain('"genres"');
  expect(client.getInstructions()).toContain("do not change within 1.x");
  await client.close();
}

const KEY_HEADER = () => ({ requestInit: { headers: { "x-api-key": key } } });

describe("the client of 2025", () => {
  // The library's types do not know exactOptionalPropertyTypes.
  const connect = async (transport: unknown) => {
    const client = new Client({ name: "studio", version: "1" });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client as unknown as Talker;
  };

  test("lists and calls over HTTP", async () => {
    await talk(await connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), KEY_HEADER())));
  });

  test.each(WAYS)("lists and calls over stdio, %s", async (_, way) => {
    await talk(await connect(new StdioClientTransport(way())));
  });

  test("is known to the server by its own name over stdio", async () => {
    const client = new Client({ name: "Studio Desktop", version: "2.1" });
    await client.connect(
      new StdioClientTransport(WAYS[0]?.[1]() ?? stdio({})) as Parameters<Client["connect"]>[0],
    );
    await client.callTool({ name: "get_composer_count", arguments: {} });
    await client.close();

    const signIn = await fetch(`${url}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "a@example.com", password: "long enough" }),
    });
    const headers = { authorization: `Bearer ${(await jsonOf(signIn)).data.token}` };
    const { data } = await jsonOf(await fetch(`${url}/app/assistant/calls?limit=50`, { headers }));

    const call = data.find(({ tool }: Json) => tool === "get_composer_count");
    expect(call.by).toMatchObject({ name: "assistant", client: "Studio Desktop/2.1" });
  });
});

describe.each([
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
  ["the newest version that both know", { mode: "auto" }],
] as const)("the current client, speaking %s", (_name, versionNegotiation) => {
  const connect = async (transport: unknown) => {
    const client = new current.Client({ name: "studio", version: "1" }, { versionNegotiation });
    await client.connect(transport as Parameters<current.Client["connect"]>[0]);
    return client as unknown as Talker;
  };

  test("lists and calls over HTTP", async () => {
    await talk(await connect(new current.StreamableHTTPClientTransport(new URL(`${url}/mcp`), KEY_HEADER())));
  });

  test.each(WAYS)("lists and calls over stdio, %s", async (_, way) => {
    await talk(await connect(new CurrentStdio(way())));
  });
});

describe("the Inspector's command line", () => {
  const inspect = async (args: string[]): Promise<Json> => {
    const child = Bun.spawn([process.execPath, INSPECTOR, "--cli", ...args], {
      env: { PATH: process.env.PATH ?? "", HOME: program.dataDir },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  };
  const overHttp = () => [`${url}/mcp`, "--transport", "http", "--header", `X-API-Key: ${key}`];
  const overStdio = (way: () => Stdio) => {
    const { command, args, env } = way();
    return [command, ...args, ...Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`])];
  };
  const LIST = ["--method", "tools/list"];
  const CALL = ["--method", "tools/call", "--tool-name", "list_tracks", "--tool-arg", "limit=3"];

  test("lists and calls over HTTP", async () => {
    expect((await inspect([...overHttp(), ...LIST])).tools).toHaveLength(39);
    expect((await inspect([...overHttp(), ...CALL])).structuredContent.data).toEqual([]);
  });

  test.each(WAYS)("lists and calls over stdio, %s", async (_, way) => {
    expect((await inspect([...overStdio(way), ...LIST])).tools).toHaveLength(39);
    expect((await inspect([...overStdio(way), ...CALL])).structuredContent.data).toEqual([]);
  });
});

describe("dubplate mcp", () => {
  const lines = (...messages: Json[]) =>
    `${messages.map((message) => (typeof message === "string" ? message : JSON.stringify(message))).join("\n")}\n`;
  const request = (id: number, method: string, params: Json = {}) => ({ jsonrpc: "2.0", id, method, params });
  const run = async (input: string, env: Record<string, string>) => {
    const { command, args, env: own } = stdio(env);
    const child = Bun.spawn([command, ...args], {
      env: own,
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return {
      code,
      stderr,
      messages: stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    };
  };
  const local = () => ({ DATA_DIR: sleeping.dataDir, DUBPLATE_API_KEY: localKey });

  test("answers piped input, prints nothing else on stdout, and ends with stdin", async () => {
    const initialize = request(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "pipe", version: "1" },
    });
    const call = request(2, "tools/call", { name: "get_track_count", arguments: {} });

    const { code, messages } = await run(lines(initialize, "no JSON", call), {
      ...local(),
      LOG_LEVEL: "debug",
    });

    expect(code).toBe(0);
    expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect(messages.find(({ id }) => id === 1).result.protocolVersion).toBe("2025-06-18");
    expect(messages.find(({ id }) => id === 2).result.structuredContent).toEqual({ count: 0 });
    expect(messages.find(({ id }) => id === null).error.code).toBe(-32_700);
  });

  test.each([
    ["opening the library itself", () => local()],
    ["connecting to a server", () => ({ DUBPLATE_URL: url, DUBPLATE_API_KEY: key })],
  ])("%s names an unknown argument", async (_, env) => {
    const params = { name: "list_tracks", arguments: { tag_mode: "all" } };

    const { messages } = await run(lines(request(1, "tools/call", params)), env());

    expect(messages[0].result.isError).toBe(true);
    expect(messages[0].result.content[0].text).toBe(
      "validation_failed: unknown argument tag_mode, did you mean tagMode?",
    );
  });

  test("records its calls as the key's use", async () => {
    await run(lines(request(1, "tools/call", { name: "list_briefs", arguments: {} })), local());
    const server = await sleeping.serve();
    const { rows } = await sleeping.run(["session", "create", "--email", "a@example.com"]);

    const usage = (await (
      await fetch(`${server.address}/integration/usage`, {
        headers: { authorization: `Bearer ${rows[0]?.token}` },
      })
    ).json()) as Json;

    expect(usage.data.items[0]).toMatchObject({ route: "/briefs", ip: "stdio" });
    server.child.kill("SIGTERM");
    await server.child.exited;
  });

  test.each([
    ["without a key", {}, "Set DUBPLATE_API_KEY"],
    ["with an invalid key", { DUBPLATE_API_KEY: "nonsense" }, "DUBPLATE_API_KEY: This API key is not valid"],
    [
      "with an invalid address",
      { DUBPLATE_API_KEY: "x", DUBPLATE_URL: "here" },
      "DUBPLATE_URL must be an address",
    ],
  ])("%s says why and ends with 1", async (_, env, words) => {
    const { code, stderr, messages } = await run("", { DATA_DIR: sleeping.dataDir, ...env });

    expect([code, messages]).toEqual([1, []]);
    expect(stderr).toContain(words);
  });

  test("says so when the server does not answer, or refuses the key", async () => {
    const list = lines(request(1, "tools/list"));
    const nobody = await run(list, { DUBPLATE_URL: "http://127.0.0.1:9", DUBPLATE_API_KEY: "x" });
    const refused = await run(list, { DUBPLATE_URL: `${url}/`, DUBPLATE_API_KEY: "x" });

    expect(nobody.messages).toMatchObject([
      { id: 1, error: { message: expect.stringContaining("does not answer") } },
    ]);
    expect(refused.messages).toMatchObject([{ id: 1, error: { data: { messageCode: "invalid_key" } } }]);
  });
});
