import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_NAMES, NOUNS, specOf } from "../../src/command-line/commands.ts";
import { usageOf } from "../../src/command-line/describe.ts";
import { createProgram } from "../support/process.ts";

const folder = mkdtempSync(join(tmpdir(), "dubplate-completion-"));
const program = createProgram();
const script = async (...args: string[]) => (await program.show(args)).stdout;
const shells = {
  bash: script("completion", "bash"),
  zsh: script("completion", "zsh"),
  fish: script("completion", "fish"),
};
const PAGE = join(import.meta.dir, "../../packaging/dubplate.1");

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Returns what a shell prints that runs a script. */
function runIn(command: string[], input = ""): { out: string; err: string } {
  const { stdout, stderr } = Bun.spawnSync(command, {
    stdin: Buffer.from(input),
    env: { PATH: process.env.PATH ?? "", HOME: folder, LC_ALL: "C.UTF-8" },
  });
  return { out: stdout.toString(), err: stderr.toString() };
}

describe("bash", () => {
  const commands = COMMAND_NAMES.filter((name) => !name.includes(" "));

  test.each([
    [
      ["dubplate", ""],
      [...commands, ...Object.keys(NOUNS), "--help", "--version"],
    ],
    [
      ["dubplate", "se"],
      ["serve", "send", "session", "secret"],
    ],
    [
      ["dubplate", "key", ""],
      ["create", "list", "revoke", "--help"],
    ],
    [
      ["dubplate", "account", "create", "--"],
      ["--email", "--name", "--password", "--help"],
    ],
    [["dubplate", "account", "create", "--email", ""], []],
    [["dubplate", "store", "move", "--to", ""], ["disk"]],
    [["dubplate", "store", "move", "--to", "=", "d"], ["disk"]],
    [["dubplate", "quarantine", "restore", "--"], ["--help"]],
    [
      ["dubplate", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["dubplate", "doctor", ""],
      ["--fix", "--json", "--help"],
    ],
    [["dubplate", "help", "plat"], ["platform-key"]],
    [
      ["dubplate", "help", "credits", ""],
      ["set", "add", "--help"],
    ],
    [["dubplate", "nonsense", ""], []],
  ])("completes %p", async (words, expected) => {
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;

    const { out, err } = runIn(["bash"], `${await shells.bash}\n${line}; _dubplate; echo "\${COMPREPLY[*]}"`);

    expect(err).toBe("");
    expect(out.trim().split(" ").filter(Boolean).sort()).toEqual([...expected].sort());
  });
});

describe.each(["bash", "zsh", "fish"] as const)("the script for %s", (shell) => {
  test("has every command and option", async () => {
    const text = await shells[shell];

    for (const name of COMMAND_NAMES)
      for (const word of [...name.split(" "), ...Object.keys(specOf(name).options ?? {})])
        expect(text).toContain(word);
  });

  test.skipIf(Bun.which(shell) === null)("is read by the shell without complaint", async () => {
    expect(runIn([shell, "-n"], await shells[shell])).toEqual({ out: "", err: "" });
  });
});

describe("the manual page", () => {
  test("is the one in packaging: bun src/main.ts man > packaging/dubplate.1", async () => {
    expect(await script("man")).toBe(await Bun.file(PAGE).text());
  });

  test("has every command, and explains its arguments and options", async () => {
    const page = (await Bun.file(PAGE).text()).replace(/\\[:]|\\f[BR]/g, "").replaceAll("\\-", "-");

    for (const name of COMMAND_NAMES)
      for (const usage of usageOf(name, specOf(name))) expect(page).toContain(`\n${usage}\n`);
  });

  test.skipIf(Bun.which("groff") === null)("is rendered without a warning", () => {
    for (const width of ["60n", "80n", "130n"])
      expect(runIn(["groff", "-ww", "-man", "-Tutf8", `-rLL=${width}`, PAGE]).err).toBe("");
  });
});
