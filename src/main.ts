#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { SCHEMA_VERSION } from "../db/migrations.ts";
import { type Command, RefusedError, UnavailableError, UsageError } from "./commands/command.ts";
import { readAssistantSettings, readSettings } from "./config.ts";
import type { ChildCommand, MediaCommand } from "./kernel/child-commands.ts";
import type { Deps } from "./kernel/deps.ts";
import { DomainError, LibraryError } from "./kernel/errors.ts";
import { reportFault } from "./kernel/fault.ts";
import { PROGRAM } from "./kernel/program.ts";
import { SettingError } from "./kernel/setting-values.ts";

const USAGE = `dubplate <command>

  serve                                       listen and work (the default)
  mcp                                         tools for an assistant over stdin and stdout
  demo [FOLDER]                               a tour with a dozen short pieces
  account create --email E --name N [--password P]
  account list
  account password --email E
  account reset-link --email E
  account disable --email E
  account enable --email E
  account export --email E DIR [--move]
  account delete --email E [--yes] [--purge]
  account transfer --email E --to E2
  session create --email E
  session list --email E
  session revoke --email E [ID]
  key create --email E --name N [--scopes a,b] [--days n]
  key list --email E
  key revoke ID
  platform-key create --name N --scopes a,b --days n
  platform-key list
  platform-key revoke ID
  credits set --email E --amount N|unlimited
  credits add --email E --amount N
  import PATH... --email E [--playlists]
  import --export DIR
  watch FOLDER --email E | --url ADDRESS --key KEY [--settle SECONDS] [--every SECONDS] [--once]
  send FILE... [--track ID] [--label L] [--open] [--url ADDRESS] [--key KEY] | --email E
  work --server URL [--key KEY] [--concurrency N] [--once]
  backup FILE|-|DIR/                          a copy of everything, while serving: one file, or a folder that grows
  restore FILE|-|DIR/ [--at TIME]             into an empty data folder
  verify [FILE|DIR/] [--quick] [--repair FILE|DIR/]
  verify --replica [CONFIG|URL] [--wait SECONDS]
  quarantine list
  quarantine accept
  quarantine restore [NAME...]
  quarantine empty [--older-than 7d]
  store move [--to disk]                      audio from the data folder to the bucket, or back
  secret rotate                               a new master secret; everything is sealed with it
  webhook listen [--port N] --secret S | --key KEY [--url ADDRESS [--token SESSION]]
  update --check [--from URL]                 whether a newer version exists; asks only now
  doctor [--fix]
  --version

dubplate <command> --help shows one command. Settings are environment variables: docs/settings.md.`;

/** Commands on the library, each loaded when needed. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  account: async () => (await import("./commands/account.ts")).account,
  session: async () => (await import("./commands/session.ts")).session,
  key: async () => (await import("./commands/key.ts")).key,
  "platform-key": async () => (await import("./commands/platform-key.ts")).platformKey,
  credits: async () => (await import("./commands/credits.ts")).credits,
  import: async () => (await import("./commands/import.ts")).importFiles,
  watch: async () => (await import("./commands/watch.ts")).watch,
  work: async () => (await import("./commands/work.ts")).work,
  send: async () => (await import("./commands/send.ts")).send,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  verify: async () => (await import("./commands/verify.ts")).verify,
  quarantine: async () => (await import("./commands/quarantine.ts")).quarantine,
  store: async () => (await import("./commands/store.ts")).store,
  secret: async () => (await import("./commands/secret.ts")).secret,
  update: async () => (await import("./commands/update.ts")).update,
  webhook: async () => (await import("./commands/webhook.ts")).webhook,
};

const PARENT_CHECK_MS = 500;
/** `EX_SOFTWARE` of sysexits.h. */
const FAULT = 70;

// Uses the console, because `process.stdout` and `process.stderr` load Node's streams.
const say = (text: string) => console.error(text);
const print = (data: object) => console.log(JSON.stringify(data));

/** Child processes of this program: those that read untrusted bytes must touch neither settings nor library. */
const CHILDREN: Readonly<Record<ChildCommand, (args: string[]) => Promise<number>>> = {
  "media-decode": (args) => runMedia("media-decode", args),
  "media-probe": (args) => runMedia("media-probe", args),
  "media-picture": (args) => runMedia("media-picture", args),
  "library-snapshot": async (args) => (await import("./backup/snapshot.ts")).runSnapshot(args),
  "library-backup": async () => (await import("./backup/scheduled.ts")).runScheduledBackup(),
  "demo-pieces": async ([folder = ""]) => (await import("./demo/few.ts")).writeFewPieces(folder),
  "moved-rows": async (args) => (await import("./modules/whole/ownership/rows-child.ts")).runRowsChild(args),
  "check-pages": async ([path = ""]) => (await import("./store/pages.ts")).runPageCheck(path),
};

const isChildCommand = (name: string): name is ChildCommand => Object.hasOwn(CHILDREN, name);

async function runMedia(command: MediaCommand, args: string[]): Promise<number> {
  return (await import("./media/child/child.ts")).runMediaChild(command, args);
}

/** Runs one command line and returns the exit code: 0 done, 1 refused, 2 wrong usage, 3 not possible now. */
async function run([name = "serve", ...args]: string[]): Promise<number> {
  if (isChildCommand(name)) return CHILDREN[name](args);
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error) => process.exit(isRefusal(error) ? end(error) : faulted(error)));
  try {
    return await runCommand(name, args);
  } catch (error) {
    return end(error);
  }
}

/** Says in one sentence why the program ends; returns the exit code. What no one expected goes to a file whole. */
function end(error: unknown): number {
  if (error instanceof UsageError) say(`usage: ${error.message}`);
  else if (isRefusal(error)) say(error.message);
  else say(reportFault(error, Bun.env.DATA_DIR?.trim() || "./storage"));
  if (error instanceof UsageError) return 2;
  return error instanceof UnavailableError ? 3 : 1;
}

/** Ends with a code of its own, so that a service manager tells a crash from a refusal (packaging/dubplate.service). */
function faulted(error: unknown): number {
  end(error);
  return FAULT;
}

async function runCommand(name: string, args: string[]): Promise<number> {
  if (isHelp(name)) {
    say(USAGE);
    return 0;
  }
  if (name === "--version") {
    print({ version: PROGRAM.version, schema: SCHEMA_VERSION, bun: Bun.version });
    return 0;
  }
  if (args.some(isHelp)) {
    say(usageOf(name));
    return 0;
  }
  const settings = readSettings(Bun.env);
  if (name === "serve")
    return (await import("./commands/serve.ts")).serve(settings, args, { say, untilStopped });
  if (name === "mcp")
    return (await import("./commands/mcp.ts")).serveTools(settings, readAssistantSettings(Bun.env), args);
  if (name === "demo") return (await import("./commands/demo.ts")).walkThrough(settings, args, say);
  if (name === "doctor") return (await import("./commands/doctor.ts")).doctor(settings, args, print, say);

  const command = await COMMANDS[name]?.();
  if (!command) throw new UsageError(USAGE);
  const { closeLibrary, openLibrary } = await import("./library.ts");
  let deps: Deps | undefined;
  const open = (options?: { mayBeFull?: boolean }) =>
    (deps ??= openLibrary(settings, process.stderr, options));
  try {
    await command({
      open,
      settings,
      remote: () => readAssistantSettings(Bun.env),
      args,
      print,
      say,
      ask,
      untilStopped,
    });
    return 0;
  } finally {
    if (deps) closeLibrary(deps);
  }
}

const isHelp = (word: string): boolean => ["help", "--help", "-h"].includes(word);

/** Returns the lines of the usage text for one command. */
function usageOf(name: string): string {
  const lines = USAGE.split("\n").filter((line) => line.startsWith(`  ${name} `) || line === `  ${name}`);
  if (lines.length === 0) throw new UsageError(USAGE);
  return lines.map((line) => `dubplate ${line.trim()}`).join("\n");
}

/** Resolves with the reason when the process is asked to stop. A second request ends it at once. */
function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        process.once(signal, () => process.kill(process.pid, "SIGKILL"));
        resolve(signal);
      });
    // npx does not pass on SIGTERM: it ends, and its child would keep running.
    if (Bun.env.npm_lifecycle_event === undefined) return;
    const before = starters();
    const watch = setInterval(() => {
      if (starters() === before) return;
      clearInterval(watch);
      resolve("the program that started this one has ended");
    }, PARENT_CHECK_MS);
    watch.unref();
  });
}

/**
 * Returns the ids of the processes that started this one. Below npx, Bun runs the package script and outlives npx,
 * so its parent counts too. Without npx it does not count, because a script may keep running when its terminal is
 * closed.
 */
function starters(): string {
  const parent = process.ppid;
  const isBelowNpx = Bun.env.npm_config_global_prefix !== undefined;
  return isBelowNpx ? `${parent} ${parentOf(parent)}` : String(parent);
}

/** Returns a process's parent; undefined if the system does not tell, or the process is gone. */
function parentOf(pid: number): string | undefined {
  try {
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

function isRefusal(error: unknown): error is Error {
  return [RefusedError, UnavailableError, DomainError, SettingError, LibraryError].some(
    (kind) => error instanceof kind,
  );
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (process.stdin.isTTY) return (await lines.question(question)).trim();
    // The last line of a pipe may lack its newline, and `question` would wait for it forever.
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
  }
}

// Before any file is made: no other user of the machine may read one.
process.umask(0o077);
if (process.platform === "darwin") (await import("../db/system-sqlite.ts")).useLoadableSqlite();
process.exit(await run(Bun.argv.slice(2)));
