/**
 * Generates clients with the four generators of docs/clients.md, type-checks the page's programs and runs them against a server of
 * their own. Prints a line of JSON for each: how many named types it wrote, and how long each step took.
 *
 * usage: bun scripts/clients.ts [name …]      openapi-typescript, hey-api, orval, oazapfts; all by default
 *
 * The generators have a folder and a lockfile of their own, `packaging/clients`, because two of them need the JavaScript API of a
 * TypeScript before version 7.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "packaging/clients");
const SONG = join(ROOT, "test/fixtures/tone.wav");
const EMAIL = "studio@example.com";
const SCOPES = "create:tracks,read:tracks,create:playlists,create:shares,read:shares";
const READY_MS = 60_000;

/** A generator of the page: its command, its program, and files beside them. */
type Client = { name: string; command: string[]; files: Map<string, string> };

/** Returns the generators of docs/clients.md. A program's first line names its file. */
async function clientsOfPage(): Promise<Client[]> {
  const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
  return page
    .split(/^## /m)
    .slice(1)
    .filter((section) => /^npx /m.test(section)) // openapi-generator has no program here
    .map((section) => {
      const [, command = ""] = /^npx (.+)$/m.exec(section) ?? [];
      const blocks = [...section.matchAll(/^```(?:ts|js)\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)];
      const files = new Map(blocks.map(([, text = "", file = ""]) => [file, text]));
      const program = [...files.keys()].find((file) => file.endsWith(".ts")) ?? "";
      return { name: program.replace(".ts", ""), command: command.split(" "), files };
    });
}

type Place = { cwd?: string; env?: Record<string, string> };

/** Runs a command to its end and returns what it printed. @throws Error with its output when it fails. */
async function run(command: string[], { cwd = ROOT, env = {} }: Place = {}): Promise<string> {
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return out.trim();
  throw new Error(`${command.join(" ")} failed:\n${out}\n${errors}`);
}

/** Starts a server with an account and a key. */
async function serve(dataDir: string) {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = String(probe.port);
  await probe.stop(true);
  const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "error", RATE_LIMIT: "0" };
  const main = [process.execPath, join(ROOT, "src/main.ts")];
  const child = Bun.spawn([...main, "serve"], {
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "ignore", // the first steps of a new library
  });
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY_MS;
  while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > until) throw new Error("The server did not start");
    await Bun.sleep(50);
  }
  const account = [
    "account",
    "create",
    "--email",
    EMAIL,
    "--name",
    "Studio",
    "--password",
    "a long password",
  ];
  await run([...main, ...account], { env });
  const made = await run(
    [...main, "key", "create", "--email", EMAIL, "--name", "clients", "--scopes", SCOPES],
    { env },
  );
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  return { env: { DUBPLATE_URL: url, DUBPLATE_API_KEY: String(JSON.parse(made).key) }, url, stop };
}

/** Returns how many types with a name a generator wrote. `openapi-typescript` writes them as fields of `components`. */
async function countTypes(folder: string): Promise<number> {
  const files = ["api.ts", "api/types.gen.ts"].map((file) => Bun.file(join(folder, file)));
  const texts = await Promise.all(
    files.map(async (file) => ((await file.exists()) ? await file.text() : "")),
  );
  const text = texts.join("\n");
  const [, schemas = ""] = /^ {4}schemas: \{\n([\s\S]*?)^ {4}\};/m.exec(text) ?? [];
  const fields = schemas.match(/^ {8}\w+: /gm)?.length ?? 0;
  return fields + (text.match(/^export (type|interface) /gm)?.length ?? 0);
}

/** Does a step and returns its seconds with its result. */
async function timed<Result>(step: () => Promise<Result>): Promise<[sec: number, result: Result]> {
  const began = performance.now();
  const result = await step();
  return [Math.round((performance.now() - began) / 100) / 10, result];
}

async function tryClient({ name, command, files }: Client, document: string, env: Record<string, string>) {
  const folder = join(FOLDER, "dist", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Bun.write(join(folder, "openapi.json"), document);
  for (const [file, text] of files) await Bun.write(join(folder, file), text);
  const [bin = "", ...args] = command;
  const [generateSec] = await timed(() =>
    run([join(FOLDER, "node_modules/.bin", bin), ...args], { cwd: folder }),
  );
  const config = { extends: "../../tsconfig.json", include: ["."] };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(config));
  const [checkSec] = await timed(() => run([join(ROOT, "node_modules/.bin/tsc"), "-p", folder]));
  const [runSec, printed] = await timed(() =>
    run([process.execPath, join(folder, `${name}.ts`), SONG], { cwd: folder, env }),
  );
  return { name, types: await countTypes(folder), generateSec, checkSec, runSec, printed };
}

const asked = process.argv.slice(2);
const clients = (await clientsOfPage()).filter(({ name }) => asked.length === 0 || asked.includes(name));
if (clients.length === 0) throw new Error(`There is no such generator: ${asked.join(", ")}`);
await run([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: FOLDER });
const dataDir = mkdtempSync(join(tmpdir(), "dubplate-clients-"));
const server = await serve(dataDir);
try {
  const document = await (await fetch(`${server.url}/openapi.json`)).text();
  for (const client of clients) console.log(JSON.stringify(await tryClient(client, document, server.env)));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
