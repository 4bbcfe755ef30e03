import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { COMMAND_NAMES, specOf } from "../src/command-line/commands.ts";
import { usageOf } from "../src/command-line/describe.ts";
import { firstSteps } from "../src/commands/serve.ts";
import { SETTING_NAMES } from "../src/config.ts";
import { STATUS } from "../src/http/errors.ts";
import { EVENTS } from "../src/kernel/event-data.ts";
import { ACT_AS_USER, ALL_SCOPES, ASSIGNABLE_SCOPES, PLATFORM_SCOPES } from "../src/kernel/scopes.ts";
import { createTestApp, type TestApp } from "./support/app.ts";

const ROOT = join(import.meta.dir, "..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Returns the cells of a document's tables, without their code marks. */
async function rowsOf(path: string): Promise<string[][]> {
  const lines = (await read(path))
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

describe("docs/api.md", () => {
  test("has exactly one line for each route, with its requirements and summary", async () => {
    const mounted = app.app.routes.flatMap(({ method, path, ...route }) => {
      const detail = route.detail as {
        operationId?: string;
        summary?: string;
        security?: Record<string, string[]>[];
      };
      const needed = detail?.security?.[0];
      const needs = needed?.apiKey?.[0] ?? (needed?.session ? "session" : "none");
      return detail?.operationId
        ? [[method, path.replace(/:(\w+)/g, "{$1}"), needs, detail.summary ?? ""]]
        : [];
    });

    const documented = (await rowsOf("docs/api.md")).filter(([method = ""]) =>
      /^(GET|POST|PUT|PATCH|DELETE)$/.test(method),
    );

    expect(new Set(documented.map(String))).toEqual(new Set(mounted.map(String)));
  });

  test("has every scope", async () => {
    const scopes = (await rowsOf("docs/api.md")).map(([first]) => first);

    for (const scope of [...ASSIGNABLE_SCOPES, ...PLATFORM_SCOPES, ACT_AS_USER, ALL_SCOPES])
      expect(scopes).toContain(scope);
  });

  test("has every refusal under its status", async () => {
    const documented = (await rowsOf("docs/api.md"))
      .filter(([status = ""]) => /^\d{3}$/.test(status))
      .flatMap(([status, codes = ""]) => codes.split(", ").map((code) => [code, Number(status)] as const));

    expect(Object.fromEntries(documented)).toEqual({ ...STATUS });
  });

  test("has every event that the code emits", async () => {
    const emitted = Object.keys(EVENTS);

    const documented = (await rowsOf("docs/api.md")).map(([first]) => first);

    expect(emitted.length).toBeGreaterThan(0);
    for (const type of emitted) expect(documented).toContain(type);
  });
});

describe("docs/architecture.md", () => {
  const treeOf = async () =>
    /^ {4}src\/\n([\s\S]*?)^ {4}db\//m.exec(await read("docs/architecture.md"))?.[1] ?? "";
  const entriesOf = (folder: string) => readdirSync(join(ROOT, folder), { withFileTypes: true });

  test("names every folder and file of src, and only existing ones", async () => {
    const named = [...(await treeOf()).matchAll(/(?<![\w./-])([\w-]+\.ts|^ {6}[\w-]+\/)/gm)];

    const there = entriesOf("src")
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.endsWith(".d.ts"));
    expect(named.map(([name]) => name.trim()).sort()).toEqual(there.sort());
  });

  test("names every module in its street, and only existing ones", async () => {
    const [, streets = ""] =
      /modules\/ +the features, in streets:\n([\s\S]*?)\n {6}\w/.exec(await treeOf()) ?? [];
    const named = streets.split(/(?:^|\n) {21}(?=\w)/).flatMap((line) => {
      const [, street, modules = ""] = /^(\w+) [^:]+: ([^;]+)/.exec(line) ?? [];
      return modules === "" ? [] : modules.split(/,\s+/).map((name) => `${street}/${name.trim()}`);
    });

    const foldersOf = (path: string) => entriesOf(path).filter((entry) => entry.isDirectory());
    const there = foldersOf("src/modules").flatMap((street) =>
      foldersOf(`src/modules/${street.name}`).map(({ name }) => `${street.name}/${name}`),
    );
    expect(named.sort()).toEqual(there.sort());
  });
});

test("docs/settings.md has every setting, and no other", async () => {
  const documented = (await rowsOf("docs/settings.md"))
    .map(([name]) => name)
    .filter((name) => name !== "name");

  expect(documented).toEqual([...SETTING_NAMES]);
});

test("docs/command-line.md has every command with its arguments and options, and no other", async () => {
  const usages = COMMAND_NAMES.flatMap((name) => usageOf(name, specOf(name)));

  const documented = (await rowsOf("docs/command-line.md")).map(([command = ""]) =>
    command.replaceAll("\\|", "|"),
  );

  expect(documented.filter((row) => row.startsWith("dubplate ")).sort()).toEqual(usages.sort());
});

describe("README.md", () => {
  test("names the commands, and the scripts they start exist", async () => {
    const readme = await read("README.md");
    const { scripts } = JSON.parse(await read("package.json"));

    expect(readme).toContain("npx -y bun@1.4.5 start");
    expect(readme).toContain("npx -y bun@1.4.5 run test\n");
    expect(readme).toContain("npx -y bun@1.4.5 run test:all\n");
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining(["start", "test", "test:all", "check", "bench"]),
    );
  });

  test("shows the lines that the first start prints", async () => {
    const readme = await read("README.md");
    const printed = firstSteps("http://127.0.0.1:4747", "THE-CODE", "dubplate");

    expect(readme).toContain("http://127.0.0.1:4747/setup");
    expect(readme).toContain(printed.slice(printed.indexOf("(\n")).trim());
  });

  test("links only to existing files", async () => {
    for (const page of ["README.md", ...new Glob("docs/**/*.md").scanSync(ROOT)]) {
      const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(
        (match) => match[1] ?? "",
      );
      for (const link of links) {
        const target = join(ROOT, page, "..", link);
        expect([page, link, (await Bun.file(target).exists()) || readdirSync(target).length > 0]).toEqual([
          page,
          link,
          true,
        ]);
      }
    }
  });
});

test("each decision has its number, a status and a date", async () => {
  for (const name of readdirSync(join(ROOT, "docs/decisions"))) {
    const text = await read(`docs/decisions/${name}`);

    expect(text).toStartWith(`# ${name.slice(0, 4)} `);
    expect([name, text]).toEqual([
      name,
      expect.stringMatching(/^Status: (?:.+\n)*.*\bDate: \d{4}-\d\d-\d\d\b/m),
    ]);
  }
});

test("the newest version in CHANGELOG.md is the program's", async () => {
  const { version } = JSON.parse(await read("package.json"));

  const [newest] = (await read("CHANGELOG.md")).match(/^## \d\S*/m) ?? [];

  expect(newest).toBe(`## ${version}`);
});
