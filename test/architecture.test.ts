import { describe, expect, test } from "bun:test";
import { COMMAND_NAMES } from "../src/command-line/commands.ts";
import { MODULES } from "../src/modules/index.ts";
import { importsOf, partOf, readSource, sourceFiles } from "./support/source.ts";

/**
 * Which part may import which (docs/architecture.md). A part may always import itself; a part without a line may
 * import nothing else.
 */
const MAY_IMPORT: readonly [part: RegExp, allowed: RegExp][] = [
  [/^(db|src\/wasm|src\/demo)\//, /^$/],
  [/^src\/audio\//, /^src\/wasm\//],
  [/^src\/ears\//, /^src\/(wasm|audio)\//],
  [/^src\/kernel\//, /^(db\/|package\.json$)/],
  [/^src\/brief\//, /^(db|src\/kernel)\//],
  [/^src\/(blobs|jobs|net|http|media)\//, /^(db|src\/kernel)\//],
  [/^src\/modules\/library\/families\/words\.ts$/, /^$/],
  [
    /^src\/modules\/(index|module|pages|\w+\/(modules|pages))\.ts$/,
    /^(db|src\/(kernel|http|jobs|pages|modules))\//,
  ],
  [
    /^src\/modules\/\w+\/\w+\/([\w-]+\/)?([\w-]+-)?(routes|pages|views|shapes|operations)\./,
    /^src\/(kernel|http|pages)\/|^src\/modules\/\w+\/\w+\/(shapes|service)\.ts$/,
  ],
  [
    /^src\/modules\//,
    /^(db|src\/(kernel|brief|blobs|jobs|net|wasm|audio|ears|media))\/|^src\/modules\/\w+\/\w+\/(shapes|service)\.ts$/,
  ],
  [/^src\/store\//, /^(db|src\/(kernel|blobs))\//],
  [/^src\/backup\//, /^(db|src\/(kernel|blobs|store))\/|^src\/modules\/\w+\/\w+\/service\.ts$/],
  [/^src\/metrics\//, /^(db|src\/(kernel|http|blobs|backup))\//],
  [/^src\/watch\//, /^src\/(kernel|media)\/|^src\/modules\/\w+\/\w+\/(shapes|service)\.ts$/],
  [/^src\/pages\//, /^src\/(kernel|http)\//],
  [/^src\/console\/shared\//, /^$/],
  [/^src\/console\/app\/api\/routes\.ts$/, /^src\/modules\/index\.ts$/],
  [
    /^src\/console\/app\//,
    /^src\/(console\/shared\/|pages\/((passkeys|playback)\/|(waveform|cover|size)\.tsx?$)|modules\/([\w-]+\/)+([\w-]+-)?shapes\.ts$|modules\/library\/families\/words\.ts$)/,
  ],
  [/^src\/console\/worker\//, /^src\/console\/app\/pocket\/(shared|store)\.ts$/],
  [/^src\/console\//, /^src\/(console\/shared|kernel|http|pages)\//],
  [/^src\/mcp\//, /^src\/((kernel|http)\/|modules\/([\w-]+\/)+([\w-]+-)?shapes\.ts$)/],
  [/^src\/command-line\//, /^src\/kernel\//],
  [
    /^src\/commands\//,
    /^(db|src\/(command-line|kernel|backup|blobs|store|media|net|demo|mcp|watch))\/|^src\/(app|config|library|sealed|server|shelves|threads|workers)\.ts$|^src\/modules\/(index|\w+\/\w+\/(shapes|service))\.ts$/,
  ],
  [/^lab\//, /./],
  [/^(src\/[\w-]+\.ts$|scripts\/)/, /^(?!lab\/)/],
];

describe("allowed imports", () => {
  test.each(sourceFiles)("%s imports only what it may", async (file) => {
    const allowed = MAY_IMPORT.find(([part]) => part.test(file))?.[1] ?? /^$/;

    const imports = importsOf(file, await readSource(file));

    const wrong = imports.filter((target) => partOf(target) !== partOf(file) && !allowed.test(target));
    expect(wrong).toEqual([]);
  });

  test("a type-only import of a forbidden part is noticed too", () => {
    const text = 'import type { Thing } from "../http/front/front.ts";';

    expect(importsOf("src/kernel/x.ts", text)).toEqual(["src/http/front/front.ts"]);
  });
});

/**
 * Which streets of modules a street may need. Pages for visitors show what the library keeps, and the library says which links
 * lead to it, so these two need each other; mails say whose they are, and people get mails. Below the streets, no two modules do.
 */
const MAY_NEED: Readonly<Record<string, readonly string[]>> = {
  people: ["library", "mail", "pocket"],
  mail: ["people", "library"],
  library: ["people", "sharing"],
  search: ["people", "library"],
  sharing: ["people", "library", "mail", "proof"],
  delivery: ["people", "library", "sharing", "mail", "proof"],
  briefs: ["people", "library", "search", "sharing", "mail"],
  outward: ["people", "library", "sharing", "mail"],
  pocket: ["people", "library", "search", "sharing"],
  proof: [],
  whole: ["people", "library", "search", "sharing", "briefs", "mail", "delivery"],
};

test("the list of modules names each of them once", () => {
  const folders = sourceFiles.flatMap((file) => /^src\/modules\/(\w+\/\w+)\//.exec(file)?.[1] ?? []);

  expect(MODULES.map(({ name }) => name).sort()).toEqual([...new Set(folders)].sort());
});

test("a street of modules needs only those it may need, and nothing needs the whole", async () => {
  const streetOf = (file: string) => /^src\/modules\/(\w+)\//.exec(file)?.[1];
  const wrong: string[] = [];
  for (const file of sourceFiles) {
    const street = streetOf(file);
    if (street === undefined) continue;
    for (const target of importsOf(file, await readSource(file))) {
      const needed = streetOf(target);
      if (needed !== undefined && needed !== street && !MAY_NEED[street]?.includes(needed))
        wrong.push(`${file} -> ${target}`);
    }
  }

  expect(wrong).toEqual([]);
});

test("no screen of the console imports another", async () => {
  const screen = /^src\/console\/app\/screens\/\w+\//;
  const wrong: string[] = [];
  for (const file of sourceFiles.filter((each) => screen.test(each)))
    for (const target of importsOf(file, await readSource(file)))
      if (screen.test(target) && screen.exec(target)?.[0] !== screen.exec(file)?.[0])
        wrong.push(`${file} -> ${target}`);

  expect(wrong).toEqual([]);
});

describe("circles", () => {
  test("no two parts need each other, directly or through others", async () => {
    const needs = new Map<string, Set<string>>();
    for (const file of sourceFiles) {
      const of = needs.get(partOf(file)) ?? new Set();
      for (const target of importsOf(file, await readSource(file))) of.add(partOf(target));
      needs.set(partOf(file), of);
    }

    expect(circlesOf(needs)).toEqual([]);
  });

  test("no two files need each other, directly or through others", async () => {
    const needs = new Map<string, Set<string>>();
    for (const file of sourceFiles) needs.set(file, new Set(importsOf(file, await readSource(file))));

    expect(circlesOf(needs)).toEqual([]);
  });

  test("a circle is reported once, with its path", () => {
    const needs = { a: ["a", "b", "d"], b: ["c"], c: ["a"], d: [] };

    const circles = circlesOf(new Map(Object.entries(needs).map(([part, of]) => [part, new Set(of)])));

    expect(circles).toEqual(["a -> b -> c -> a"]);
  });
});

type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the shortest path from each part back to itself. A circle shared by several parts is returned once. */
function circlesOf(needs: Needs): string[] {
  const circles = new Set<string>();
  for (const start of needs.keys()) {
    const circle = shortestCircle(needs, start);
    if (!circle) continue;
    const first = circle.indexOf([...circle].sort()[0] ?? "");
    const path = [...circle.slice(first), ...circle.slice(0, first)];
    circles.add([...path, path[0]].join(" -> "));
  }
  return [...circles];
}

function shortestCircle(needs: Needs, start: string): string[] | undefined {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths) {
    const last = path.at(-1) ?? start;
    const onwards = [...(needs.get(last) ?? [])].filter((part) => part !== last);
    if (onwards.includes(start)) return path;
    paths.push(...onwards.filter((part) => !seen.has(part)).map((part) => [...path, part]));
    for (const part of onwards) seen.add(part);
  }
  return undefined;
}

test("each command of the command line is one file in src/commands", () => {
  const commands = new Set(COMMAND_NAMES.map((name) => name.split(" ")[0] ?? ""));

  const files = sourceFiles.map((file) => /^src\/commands\/([\w-]+)\.ts$/.exec(file)?.[1]);
  // Code that the commands share is not a command.
  expect(files.filter((name) => name !== undefined && name !== "command")).toEqual([...commands].sort());
});

test("no file of the program is longer than 300 lines", async () => {
  const long: string[] = [];
  for (const file of sourceFiles.filter((each) => each.startsWith("src/"))) {
    const lines = (await readSource(file)).split("\n").length - 1;
    if (lines > 300) long.push(`${file}: ${lines}`);
  }

  expect(long).toEqual([]);
});

/** What is run beside the program. */
const TOOLS = /^(scripts|lab)\//;

test("only one file mounts routes on Elysia", async () => {
  const mounting: string[] = [];
  for (const file of sourceFiles)
    if (/\bfrom "elysia"|\bimport\("elysia"\)/.test(await readSource(file))) mounting.push(file);

  expect(mounting).toEqual(["src/http/mount.ts"]);
});

test("only the command line ends the process", async () => {
  const enders: string[] = [];
  for (const file of sourceFiles) if (/process\.exit\(/.test(await readSource(file))) enders.push(file);

  expect(enders.filter((file) => !TOOLS.test(file))).toEqual(["src/main.ts"]);
});

test("only the command line and the settings read the environment", async () => {
  const readers: string[] = [];
  for (const file of sourceFiles)
    if (/\b(Bun|process)\.env\b/.test(await readSource(file))) readers.push(file);

  // The two others start child processes: one runs the operator's installers, one passes on only PATH.
  expect(readers.filter((file) => !TOOLS.test(file))).toEqual([
    "src/commands/doctor.ts",
    "src/main.ts",
    "src/media/child/child-process.ts",
  ]);
});

test("every child process is told its environment, so that none inherits secrets", async () => {
  const inheriting: string[] = [];
  for (const file of sourceFiles) {
    const source = await readSource(file);
    const isParent = source.includes("childCommandLine(") && source.includes("Bun.spawn(");
    if (isParent && !/\benv: \{\}/.test(source)) inheriting.push(file);
  }

  expect(inheriting).toEqual([]);
});

test("every page names its JSX runtime, because Bun would use that of the folder it starts in", async () => {
  const nameless: string[] = [];
  for (const file of sourceFiles.filter((each) => each.endsWith(".tsx")))
    if (!(await readSource(file)).startsWith("/** @jsxRuntime automatic @jsxImportSource preact */"))
      nameless.push(file);

  expect(nameless).toEqual([]);
});
