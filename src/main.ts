#!/usr/bin/env bun
import { createInterface } from "node:readline/promises";
import { type Command, RefusedError, UsageError } from "./commands/command.ts";
import { readSettings, SettingError } from "./config.ts";
import { DomainError } from "./kernel/errors.ts";

const USAGE = `dubplate <command>

  serve                                       listen and work (the default)
  demo [FOLDER]                               a tour with a dozen short pieces of its own
  account create --email E --name N [--password P]
  account list
  session create --email E
  key create --email E --name N [--scopes a,b] [--days n]
  platform-key create --name N --scopes a,b --days n
  platform-key list
  platform-key revoke ID
  credits set --email E --amount N|unlimited
  credits add --email E --amount N
  import PATH... --email E
  doctor [--fix]

Settings are environment variables: docs/settings.md.`;

/** Commands over an opened library, each loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  account: async () => (await import("./commands/account.ts")).account,
  session: async () => (await import("./commands/session.ts")).session,
  key: async () => (await import("./commands/key.ts")).key,
  "platform-key": async () => (await import("./commands/platform-key.ts")).platformKey,
  credits: async () => (await import("./commands/credits.ts")).credits,
  import: async () => (await import("./commands/import.ts")).importFiles,
};

const say = (text: string) => void process.stderr.write(`${text}\n`);
const print = (data: object) => void process.stdout.write(`${JSON.stringify(data)}\n`);

/** Runs one command line; returns the exit code: 0 done, 1 refused, 2 wrong usage. */
async function run([name = "serve", ...args]: string[]): Promise<number> {
  // Children of this program: they parse bytes of strangers and must touch neither settings nor library.
  if (name === "media-decode" || name === "media-probe")
    return (await import("./media/child.ts")).runMediaChild([name, ...args]);
  try {
    return await runCommand(name, args);
  } catch (error) {
    if (error instanceof UsageError) say(`usage: ${error.message}`);
    else if (isRefusal(error)) say(error.message);
    else throw error;
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runCommand(name: string, args: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    say(USAGE);
    return 0;
  }
  const settings = readSettings(Bun.env);
  if (name === "serve") return (await import("./serve.ts")).serve(settings, args, say);
  if (name === "demo") return (await import("./walkthrough.ts")).walkThrough(settings, args, say);
  if (name === "doctor") return (await import("./doctor.ts")).doctor(settings, args, print, say);

  const command = await COMMANDS[name]?.();
  if (!command) throw new UsageError(USAGE);
  const { closeLibrary, openLibrary } = await import("./library.ts");
  const deps = openLibrary(settings, process.stderr);
  try {
    await command({ deps, args, print, say, ask });
  } finally {
    closeLibrary(deps);
  }
  return 0;
}

function isRefusal(error: unknown): error is Error {
  return error instanceof RefusedError || error instanceof DomainError || error instanceof SettingError;
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(process.stdin.isTTY ? question : "")).trim();
  } finally {
    lines.close();
  }
}

process.exit(await run(Bun.argv.slice(2)));
