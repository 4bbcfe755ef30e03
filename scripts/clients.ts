/**
 * Generates clients as docs/clients.md says, checks its programs with their compiler and runs them against a server of its own. Prints
 * a table: how many named types each generator wrote, and how long each step took.
 *
 * usage: bun scripts/clients.ts [--json] [name …]      openapi-typescript, hey-api, orval, oazapfts, python, go, typescript-fetch;
 *                                                      all by default. --json: a line of JSON for each
 *
 * The generators that run with Bun have a folder and a lockfile of their own, `packaging/clients`, because two of them need the
 * JavaScript API of a TypeScript before version 7. The last three need `mvn` and `java`, and `python3` or `go`.
 */
import "./support/help.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "packaging/clients");
const SONG = join(ROOT, "test/fixtures/tone.wav");
const EMAIL = "studio@example.com";
const SCOPES = "create:tracks,read:tracks,create:playlists,create:shares,read:shares";
const READY_MS = 60_000;

/** A generator of the page: the commands that make its client, its program, and files beside it. */
type Client = { name: string; commands: string[]; program: string; files: Map<string, string> };

/** What is done with a program in a language, and where its client declares types. */
type Language = { check: string[]; run: string[]; types: RegExp; sources: string[] };

const LANGUAGES: Readonly<Record<string, Language>> = {
  ".ts": {
    check: [join(ROOT, "node_modules/.bin/tsc"), "-p", "."],
    run: [process.execPath],
    types: /^export (?:type|interface) /gm,
    sources: ["api.ts", "api/types.gen.ts", "api/models/*.ts"],
  },
  ".py": {
    check: ["venv/bin/python", "-m", "compileall", "-q", "api/dubplate"],
    run: ["venv/bin/python"],
    types: /^class /gm,
    sources: ["api/dubplate/models/*.py"],
  },
  ".go": {
    check: ["go", "vet", "."],
    run: ["go", "run"],
    types: /^type (?!Nullable)[A-Z]\w* struct/gm,
    sources: ["api/model_*.go"],
  },
};

/** Returns the commands of a part of the page. */
const commandsOf = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) => lines);

/** Returns the generators of docs/clients.md: each has a chapter, or a part of one. A program's first line names its file. */
async function clientsOfPage(): Promise<Client[]> {
  const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
  const [intro = "", ...chapters] = page.split(/^## .*$/m);
  return chapters.flatMap((chapter) => {
    const [opening = "", ...parts] = chapter.split(/^### .*$/m);
    if (parts.length === 0) return [clientOf(opening, commandsOf(intro))];
    return parts.map((part) => clientOf(part, [...commandsOf(intro), ...commandsOf(opening)]));
  });
}

function clientOf(text: string, before: readonly string[]): Client {
  const commands = [...before, ...commandsOf(text)];
  const blocks = [...text.matchAll(/^```(?:ts|js|python|go)\n((?:\/\/|#) (\S+)\n[\s\S]*?)^```$/gm)];
  const files = new Map(blocks.map(([, block = "", file = ""]) => [file, block]));
  const program = [...files.keys()].find((file) => LANGUAGES[extname(file)]) ?? "";
  const [, generator] = / -g (\S+)/.exec(commands.join("")) ?? [];
  return { name: generator ?? program.replace(".ts", ""), commands, program, files };
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
  return { env: { DUBPLATE_URL: url, DUBPLATE_API_KEY: String(JSON.parse(made).key) }, stop };
}

/** Returns how many types with a name a generator wrote. `openapi-typescript` writes them as fields of `components`. */
async function countTypes(folder: string, { types, sources }: Language): Promise<number> {
  const files = sources.map((source) => Array.fromAsync(new Bun.Glob(source).scan(folder)));
  const texts = await Promise.all(
    (await Promise.all(files)).flat().map((file) => Bun.file(join(folder, file)).text()),
  );
  const text = texts.join("\n");
  const [, schemas = ""] = /^ {4}schemas: \{\n([\s\S]*?)^ {4}\};/m.exec(text) ?? [];
  const fields = schemas.match(/^ {8}\w+: /gm)?.length ?? 0;
  return fields + (text.match(types)?.length ?? 0);
}

/** Does a step and returns its seconds with its result. */
async function timed<Result>(step: () => Promise<Result>): Promise<[sec: number, result: Result]> {
  const began = performance.now();
  const result = await step();
  return [Math.round((performance.now() - began) / 100) / 10, result];
}

async function tryClient({ name, commands, program, files }: Client, env: Record<string, string>) {
  const language = LANGUAGES[extname(program)];
  if (!language) throw new Error(`docs/clients.md has no program for ${name}`);
  const folder = join(FOLDER, "dist", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of files) await Bun.write(join(folder, file), text);
  const config = { extends: "../../tsconfig.json", include: ["."] };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(config));
  const place = { cwd: folder, env: { ...env, PATH: `${FOLDER}/node_modules/.bin:${process.env.PATH}` } };
  // What npx would look for in the registry is installed.
  const script = commands.join("").replace(/^npx /gm, "");
  const [generateSec] = await timed(() => run(["bash", "-ec", script], place));
  const [checkSec] = await timed(() => run(language.check, place));
  const [runSec, printed] = await timed(() => run([...language.run, program, SONG], place));
  return { name, types: await countTypes(folder, language), generateSec, checkSec, runSec, printed };
}

type Row = Record<string, string | number>;

/** Returns rows as lines with columns; figures stand right. */
function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const lineOf = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, place) =>
        typeof cell === "number"
          ? String(cell).padStart(widths[place] ?? 0)
          : cell.padEnd(widths[place] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [lineOf(names), ...rows.map((row) => lineOf(names.map((name) => row[name] ?? "")))].join("\n");
}

const { values, positionals: asked } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const all = await clientsOfPage();
const unknown = asked.filter((name) => !all.some((client) => client.name === name));
if (unknown.length > 0) throw new Error(`There is no such generator: ${unknown.join(", ")}`);
await run([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: FOLDER });
const dataDir = mkdtempSync(join(tmpdir(), "dubplate-clients-"));
const server = await serve(dataDir);
const rows: Row[] = [];
try {
  for (const client of all.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    try {
      rows.push(await tryClient(client, server.env));
      if (values.json) console.log(JSON.stringify(rows.at(-1)));
    } catch (error) {
      console.error(`${client.name}: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
  if (!values.json) console.log(table(rows));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
