import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_NAMES, commandsOf, NOUNS, specOf } from "../../src/command-line/commands.ts";
import { usageOf } from "../../src/command-line/describe.ts";
import { helpOn } from "../../src/command-line/help.ts";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";

const elsewhere = mkdtempSync(join(tmpdir(), "dubplate-elsewhere-"));
const program = createProgram({}, { command: PROGRAM, cwd: elsewhere });
const dataDir = join(program.dataDir, "none");
const show = (...args: string[]) => program.show(args, { extra: { DATA_DIR: dataDir } });

afterAll(async () => {
  rmSync(elsewhere, { recursive: true });
  await program.close();
});

describe("help", () => {
  test.each([
    [["--help"], ""],
    [["-h"], ""],
    [["help"], ""],
    [["account", "--help"], "account"],
    [["account", "help"], "account"],
    [["help", "account"], "account"],
    [["account", "create", "--help"], "account create"],
    [["account", "create", "--email", "x", "-h"], "account create"],
    [["help", "account", "create"], "account create"],
    [["serve", "--help"], "serve"],
  ])("%p explains itself on stdout, and makes no library", async (args, topic) => {
    expect(await show(...args)).toEqual({ code: 0, stdout: `${helpOn(topic)}\n`, stderr: "" });
    expect(existsSync(dataDir)).toBe(false);
  });

  test("help on the program names every command, with a summary", () => {
    for (const name of COMMAND_NAMES) expect(helpOn("")).toContain(`\n  ${name.padEnd(24)}`);
  });

  test.each(COMMAND_NAMES)("help on %s explains every option and argument of its usage", (name) => {
    const spec = specOf(name);
    const usage = usageOf(name, spec).join("\n");
    const explained = helpOn(name);

    for (const option of Object.keys(spec.options ?? {})) {
      expect(usage).toContain(`--${option}`);
      expect(explained).toMatch(new RegExp(`^  --${option}\\b.*(\n +)?[A-Z]`, "m"));
    }
    for (const used of usage.matchAll(/--([a-z-]+)/g))
      expect(Object.keys(spec.options ?? {})).toContain(used[1] ?? "");
  });

  test("works although a setting is wrong", async () => {
    const { code, stdout } = await program.show(["help"], { extra: { PORT: "99999" } });

    expect([code, stdout]).toEqual([0, expect.stringContaining("dubplate <command>")]);
  });

  test("has a line on what each command with verbs is about", () => {
    const nouns = COMMAND_NAMES.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]);

    expect(Object.keys(NOUNS).sort()).toEqual([...new Set(nouns)].sort() as string[]);
    expect(Object.keys(NOUNS).flatMap(commandsOf)).toHaveLength(nouns.length);
  });
});

test("version, -v and --version show the same", async () => {
  const shown = await Promise.all(["version", "-v", "--version"].map((word) => show(word)));

  for (const each of shown) expect(each).toEqual(shown[0] as (typeof shown)[0]);
  expect(JSON.parse(shown[0]?.stdout ?? "")).toEqual({
    version: expect.any(String),
    schema: expect.any(Number),
    bun: Bun.version,
  });
});

describe("a wrong command line", () => {
  test.each([
    ["serv", "There is no command serv: did you mean serve?"],
    ["nonsense", "There is no command nonsense: dubplate help lists them"],
    ["help acount create", "There is no command acount: did you mean account create?"],
    ["acount creat", "There is no command acount: did you mean account create?"],
    ["keys list", "There is no command keys: did you mean key list?"],
    ["key lsit", "There is no command key lsit: did you mean key list?"],
    ["secret show", "There is no command secret show: it has rotate"],
    [
      "revoke key_1",
      "There is no command revoke: did you mean session revoke, key revoke, player revoke or platform-key revoke?",
    ],
    ["--email x account list", "Options such as --email come after the command: see dubplate help"],
    ["account list --jsno", "account list has no option --jsno: did you mean --json?"],
    ["account create --mail x", "account create has no option --mail: did you mean --email?"],
    ["account create --pass x", "account create has no option --pass: did you mean --password?"],
    ["account create -e x", "account create has no option -e: it has --email, --name, --password"],
    ["serve --port 80", "serve has no option --port: it is a setting, PORT=... dubplate serve"],
    ["serve 80", "It takes no argument: leave out 80"],
    ["store move --to bucket", "--to must be disk"],
    ["completion fsh", "fsh is not what it takes: give bash, zsh or fish"],
    ["account list --json=yes", "--json takes no value"],
    ["key create --email", "--email needs a value: --email E"],
    ["key create --email --name x", "--email needs a value: --email E, or --email=--name"],
    ["key create --email x --name y --days 4000", "--days must be a whole number: 1 to 3650 days"],
    ["watch . --every soon --email x", "--every must be a whole number: 0 to 3600 seconds"],
    ["credits add --email x --amount 1.5", "--amount must be a whole number"],
    ["send a.wav", "Name the library: --email for the one here, or --url and --key for a server"],
    ["verify --wait 5", "--wait is for --replica: give both, or neither"],
  ])("%p ends with 2 and one line that names the fix", async (line, fix) => {
    const { code, stdout, stderr } = await show(...line.split(" "));

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toStartWith("usage: dubplate ");
    expect(stderr).toEndWith(`\n${fix}\n`);
    expect(existsSync(dataDir)).toBe(false);
  });

  test("takes what follows -- as arguments, and a number below zero as a value", async () => {
    const dashed = await show("verify", "--", "--help");
    const less = await show("credits", "add", "--email", "x@example.com", "--amount", "-5");

    expect([dashed.code, less.code]).toEqual([1, 1]);
    expect(less.stderr).toContain("There is no account with the e-mail address x@example.com");
  });
});

test("every command that lists prints one JSON array with --json, also an empty one", async () => {
  const of = ["--email", "me@example.com"];
  const extra = { DATA_DIR: join(program.dataDir, "library") };
  const run = async (...args: string[]) => {
    const { code, stdout } = await program.show(args, { extra });
    return [code, stdout.split("\n").map((line) => line && JSON.parse(line))];
  };
  await run("account", "create", ...of, "--name", "Me", "--password", "long enough 1");
  await run("account", "create", "--email", "b@example.com", "--name", "B", "--password", "long enough 1");
  await run("session", "create", ...of);
  await run("key", "create", ...of, "--name", "k");

  const lists = COMMAND_NAMES.filter((name) => name.endsWith(" list"));
  expect(lists.filter((name) => !("json" in (specOf(name).options ?? {})))).toEqual([]);
  expect(await run("account", "list", "--json")).toEqual([
    0,
    [[expect.objectContaining({ name: "Me" }), expect.objectContaining({ name: "B" })], ""],
  ]);
  expect(await run("session", "list", ...of, "--json")).toMatchObject([0, [[{}], ""]]);
  expect(await run("key", "list", "--json", ...of)).toMatchObject([0, [[{ name: "k" }], ""]]);
  expect(await run("platform-key", "list", "--json")).toEqual([0, [[], ""]]);
  expect(await run("quarantine", "list", "--json")).toEqual([0, [[], ""]]);
  expect(await run("verify", "--json")).toEqual([0, [[], ""]]);
  expect(await run("doctor", "--json")).toMatchObject([0, [[{ check: "runtime" }, {}, {}, {}, {}], ""]]);
  expect(await run("session", "list", "--email", "no@example.com", "--json")).toEqual([1, [""]]);
});
