import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonOf } from "../support/app.ts";
import { createProgram, freePort } from "../support/process.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const EMAIL = "me@example.com";
const NODE = Bun.which("node") ?? process.execPath;
const PYTHON = Bun.which("python3");
const GO = Bun.which("go");
if (!PYTHON) console.log("Without python3 its quick start is not run");
if (!GO) console.log("Without go its quick start is not run");

const program = createProgram({ NETWORK_ALLOW: "127.0.0.1" });
const took: string[] = [];
let address: string;
let token: string;
beforeAll(async () => {
  ({ address } = await program.serve());
  await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", "a long password"]);
  token = String((await program.run(["session", "create", "--email", EMAIL])).rows[0]?.token);
  for (const [name, text] of await programs()) writeFileSync(join(program.dataDir, name), text);
  mkdirSync(join(program.dataDir, "mixes"));
  for (const [from, to] of [
    ["tone.wav", "01 Night Bus.wav"],
    ["tone.mp3", "02 Harbour.mp3"],
  ] as const)
    copyFileSync(join(FIXTURES, from), join(program.dataDir, "mixes", to));
});
afterAll(async () => {
  console.log(`First runs: ${took.join(", ")}`);
  await program.close();
});

/** Returns the programs of docs/api.md, by the name in their first line. */
async function programs(): Promise<[name: string, text: string][]> {
  const page = await Bun.file(join(import.meta.dir, "../../docs/api.md")).text();
  const blocks = [...page.matchAll(/^```(?:js|python|go)\n((?:\/\/|#) (\S+)\n[\s\S]*?)^```$/gm)];
  return blocks.map(([, text = "", name = ""]) => [name, text]);
}

/** Makes a key with these scopes alone, on the command line. */
async function key(...scopes: string[]): Promise<string> {
  const made = await program.run([
    "key",
    "create",
    "--email",
    EMAIL,
    "--name",
    "x",
    "--scopes",
    scopes.join(),
  ]);
  return String(made.rows[0]?.key);
}

const start = (command: string[], apiKey: string) =>
  Bun.spawn(command, {
    cwd: program.dataDir,
    // Go needs a home for what it compiles.
    env: { ...process.env, DUBPLATE_URL: address, DUBPLATE_API_KEY: apiKey },
    stdout: "pipe",
    stderr: "inherit",
  });

/** Runs a program to its end and returns what it prints. */
async function run(command: string[], apiKey: string): Promise<string> {
  const began = performance.now();
  const child = start(command, apiKey);
  const text = await new Response(child.stdout).text();
  expect([command[1], await child.exited]).toEqual([command[1], 0]);
  took.push(`${command[command[0] === GO ? 2 : 1]} ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return text.trim();
}

const asOwner = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await jsonOf(response)).data;
};

describe("the quick start of docs/api.md uploads a song and prints what was heard", () => {
  const song = join("mixes", "01 Night Bus.wav");
  const line = /^01 Night Bus\.wav: completed, \S+ bpm, .+$/;

  test("the quick start runs in Node", async () => {
    const apiKey = await key("create:tracks", "read:tracks");

    expect(await run([NODE, "quickstart.mjs", song], apiKey)).toMatch(line);
  });

  test.skipIf(!PYTHON)(
    "the quick start runs in Python",
    async () => {
      const apiKey = await key("create:tracks", "read:tracks");

      expect(await run([PYTHON ?? "", "quickstart.py", song], apiKey)).toMatch(line);
    },
    180_000,
  );

  // The first time, Go compiles its whole HTTP library.
  test.skipIf(!GO)(
    "the quick start runs in Go",
    async () => {
      const apiKey = await key("create:tracks", "read:tracks");

      expect(await run([GO ?? "", "run", "quickstart.go", song], apiKey)).toMatch(line);
    },
    600_000,
  );
});

describe("the recipes of docs/api.md, each with a key alone:", () => {
  test("a folder of mixes becomes a playlist with a link", async () => {
    const apiKey = await key("create:tracks", "read:tracks", "create:playlists", "create:shares");

    const printed = await run([NODE, "share-folder.mjs", "mixes", "For Jonas", "Jonas"], apiKey);

    const [, url = ""] = /^2 tracks in "For Jonas", for Jonas: (\S+)$/.exec(printed) ?? [];
    const page = await (await fetch(url)).text();
    expect(page.match(/data-title="[^"]+"/g)).toEqual([
      'data-title="01 Night Bus"',
      'data-title="Night Tone"',
    ]);
    const headers = { "x-api-key": await key("read:shares") };
    const { data } = await jsonOf(await fetch(`${address}/api/v1/listeners?recipient=jonas`, { headers }));
    expect(data).toMatchObject([{ recipient: "Jonas", url, name: "For Jonas", plays: 0 }]);
  });

  test("new submissions to a brief are printed once", async () => {
    const brief = await asOwner("POST", "/app/briefs", { name: "Calm piano", status: "open" });
    const submit = (link: string) =>
      asOwner("POST", `/app/briefs/${brief.id}/submissions`, { link, message: "Here" });
    const apiKey = await key("read:briefs");
    const look = () => run([NODE, "new-submissions.mjs", "seen.json"], apiKey);

    await submit("https://example.com/one");
    const first = await look();
    await submit("https://example.com/two");
    const second = await look();

    expect(first).toBe("Calm piano: https://example.com/one Here");
    expect(second).toBe("Calm piano: https://example.com/two Here");
    expect(await look()).toBe("");
  });

  test("events are verified and printed", async () => {
    const port = await freePort();
    const apiKey = await key("read:tracks", "update:webhooks");
    const headers = { "x-api-key": apiKey };
    const { data } = await jsonOf(await fetch(`${address}/api/v1/tracks?limit=1`, { headers }));
    const began = performance.now();
    const child = start([NODE, "react.mjs", String(port), `http://127.0.0.1:${port}/`], apiKey);
    const told: string[] = [];
    for await (const chunk of child.stdout) {
      told.push(...new TextDecoder().decode(chunk).split("\n").filter(Boolean));
      if (told.length === 1) {
        took.push(`react.mjs ${((performance.now() - began) / 1000).toFixed(1)} s to its test event`);
        const forged = { method: "POST", body: JSON.stringify({ id: "evt_1", type: "forged", data: {} }) };
        expect((await fetch(`http://127.0.0.1:${port}/`, forged)).status).toBe(400);
        const path = `/app/library/tracks/details?id=${data[0].id}`;
        await asOwner("PATCH", path, { title: "Renamed" });
      }
      if (told.length === 2) child.kill();
    }

    expect(told).toEqual(["webhook.test", `track.updated: ${data[0].name} title`]);
  });
});
