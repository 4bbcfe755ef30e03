#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import type { CommandName } from "./command-line/commands.ts";
import {
  type Command,
  type CommandContext,
  RefusedError,
  UnavailableError,
  UsageError,
} from "./commands/command.ts";
import { readAssistantSettings, readSettings, SETTING_NAMES } from "./config.ts";
import type { ChildCommand, MediaCommand } from "./kernel/child-commands.ts";
import type { Deps } from "./kernel/deps.ts";
import { DomainError, LibraryError } from "./kernel/errors.ts";
import { reportFault } from "./kernel/fault.ts";
import { SettingError } from "./kernel/setting-values.ts";
import type { Settings } from "./kernel/settings.ts";

/** What runs each command, loaded when needed. */
const COMMANDS: { readonly [Name in CommandName]: () => Promise<Command<Name>> } = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  mcp: async () => (await import("./commands/mcp.ts")).serveTools,
  demo: async () => (await import("./commands/demo.ts")).walkThrough,
  import: async () => (await import("./commands/import.ts")).importFiles,
  watch: async () => (await import("./commands/watch.ts")).watch,
  send: async () => (await import("./commands/send.ts")).send,
  notes: async () => (await import("./commands/notes.ts")).notes,
  work: async () => (await import("./commands/work.ts")).work,
  "account create": async () => (await import("./commands/account.ts")).createAccountHere,
  "account list": async () => (await import("./commands/account.ts")).listAccountsHere,
  "account password": async () => (await import("./commands/account/password.ts")).setPassword,
  "account reset-link": async () => (await import("./commands/account/reset-link.ts")).resetLink,
  "account export": async () => (await import("./commands/account/export.ts")).exportTo,
  "account delete": async () => (await import("./commands/account/delete.ts")).deleteWhole,
  "account transfer": async () => (await import("./commands/account/transfer.ts")).transfer,
  "account disable": async () => (await import("./commands/account/access.ts")).disable,
  "account enable": async () => (await import("./commands/account/access.ts")).enable,
  "account operator": async () => (await import("./commands/account/access.ts")).operator,
  "account owner": async () => (await import("./commands/team.ts")).giveAccount,
  "team list": async () => (await import("./commands/team.ts")).listTeamHere,
  "team invite": async () => (await import("./commands/team.ts")).inviteHere,
  "team role": async () => (await import("./commands/team.ts")).changeRole,
  "team remove": async () => (await import("./commands/team.ts")).removeHere,
  "person list": async () => (await import("./commands/person.ts")).listPeopleHere,
  "person block": async () => (await import("./commands/person.ts")).block,
  "person unblock": async () => (await import("./commands/person.ts")).unblock,
  "person delete": async () => (await import("./commands/person.ts")).deleteHere,
  "session create": async () => (await import("./commands/session.ts")).createSession,
  "session list": async () => (await import("./commands/session.ts")).listSessions,
  "session revoke": async () => (await import("./commands/session.ts")).revokeSessions,
  "key create": async () => (await import("./commands/key.ts")).createKeyHere,
  "key list": async () => (await import("./commands/key.ts")).listKeysHere,
  "key revoke": async () => (await import("./commands/key.ts")).revokeKeyHere,
  "player list": async () => (await import("./commands/player.ts")).listPlayersHere,
  "player revoke": async () => (await import("./commands/player.ts")).revokePlayerHere,
  "platform-key create": async () => (await import("./commands/platform-key.ts")).createPlatformKeyHere,
  "platform-key list": async () => (await import("./commands/platform-key.ts")).listPlatformKeysHere,
  "platform-key revoke": async () => (await import("./commands/platform-key.ts")).revokePlatformKeyHere,
  "credits set": async () => (await import("./commands/credits.ts")).setCredits,
  "credits add": async () => (await import("./commands/credits.ts")).addCredits,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  verify: async () => (await import("./commands/verify.ts")).verify,
  "quarantine list": async () => (await import("./commands/quarantine.ts")).listQuarantine,
  "quarantine accept": async () => (await import("./commands/quarantine.ts")).acceptLoss,
  "quarantine restore": async () => (await import("./commands/quarantine.ts")).restoreSetAside,
  "quarantine empty": async () => (await import("./commands/quarantine.ts")).emptySetAside,
  "store move": async () => (await import("./commands/store.ts")).moveStore,
  "secret rotate": async () => (await import("./commands/secret.ts")).rotate,
  deliver: async () => (await import("./commands/deliver.ts")).deliver,
  "ledger head": async () => (await import("./commands/ledger.ts")).head,
  "ledger prove": async () => (await import("./commands/ledger.ts")).proveHere,
  "ledger verify": async () => (await import("./commands/ledger.ts")).verify,
  "ledger renew": async () => (await import("./commands/ledger.ts")).renew,
  "ledger erase": async () => (await import("./commands/ledger.ts")).erase,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  update: async () => (await import("./commands/update.ts")).update,
  "webhook listen": async () => (await import("./commands/webhook.ts")).listenToWebhook,
  help: async () => (await import("./commands/help.ts")).help,
  version: async () => (await import("./commands/version.ts")).version,
  completion: async () => (await import("./commands/completion.ts")).completion,
  man: async () => (await import("./commands/man.ts")).man,
};

const PARENT_CHECK_MS = 500;
/** `EX_SOFTWARE` of sysexits.h. */
const FAULT = 70;

// Uses the console, because `process.stdout` and `process.stderr` load Node's streams.
const say = (text: string) => console.error(text);
const show = (text: string) => console.log(text);
const printLine = (data: object) => show(JSON.stringify(data));

/** Child processes of this program: those that read untrusted bytes must touch neither settings nor library. */
const CHILDREN: Readonly<Record<ChildCommand, (args: string[]) => Promise<number>>> = {
  "media-decode": (args) => runMedia("media-decode", args),
  "media-probe": (args) => runMedia("media-probe", args),
  "media-picture": (args) => runMedia("media-picture", args),
  "library-snapshot": async (args) => (await import("./backup/snapshot.ts")).runSnapshot(args),
  "library-backup": async () => (await import("./backup/scheduled.ts")).runScheduledBackup(),
  "demo-pieces": async ([folder = ""]) => (await import("./demo/few.ts")).writeFewPieces(folder),
  "moved-rows": async (args) => (await import("./modules/whole/ownership/rows-child.ts")).runRowsChild(args),
  "mark-sound": async () => (await import("./modules/sharing/marks/mark-child.ts")).runMarkChild(),
  "check-pages": async ([path = ""]) => (await import("./store/pages.ts")).runPageCheck(path),
};

const isChildCommand = (name: string): name is ChildCommand => Object.hasOwn(CHILDREN, name);

async function runMedia(command: MediaCommand, args: string[]): Promise<number> {
  return (await import("./media/child/child.ts")).runMediaChild(command, args);
}

/** Runs one command line and returns the exit code: 0 done, 1 refused, 2 wrong usage, 3 not possible now. */
async function run(line: string[]): Promise<number> {
  const [name = "serve", ...args] = line;
  if (isChildCommand(name)) return CHILDREN[name](args);
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error) => process.exit(isRefusal(error) ? end(error) : faulted(error)));
  try {
    // A server needs nothing of the command line, and starts without it.
    if (name === "serve" && args.length === 0)
      return await carryOut("serve", { options: {}, words: [] }, "settings");
    return await runCommand(line);
  } catch (error) {
    return end(error);
  }
}

/** Says in one sentence why the program ends; returns the exit code. What no one expected goes to a file whole. */
function end(error: unknown): number {
  if (error instanceof UsageError) sayUsage(error);
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

function sayUsage({ usage, message }: UsageError): void {
  say(`usage: ${usage.join("\n       ")}`);
  if (message !== "") say(message);
}

async function runCommand(line: readonly string[]): Promise<number> {
  const { readCommand } = await import("./command-line/find.ts");
  const { readArguments } = await import("./command-line/read.ts");
  const { specOf } = await import("./command-line/commands.ts");
  const { usageOf } = await import("./command-line/describe.ts");
  const { name, args } = readCommand(line);
  const spec = specOf(name);
  try {
    return await carryOut(name, readArguments(name, args, SETTING_NAMES), spec.needs);
  } catch (error) {
    if (error instanceof UsageError && error.usage.length === 0)
      throw new UsageError(error.message, usageOf(name, spec));
    throw error;
  }
}

type Given<Name extends CommandName> = Pick<CommandContext<Name>, "options" | "words">;

async function carryOut<Name extends CommandName>(
  name: Name,
  given: Given<Name>,
  needs: "library" | "settings" | "nothing" = "library",
): Promise<number> {
  // A wrong setting must not keep help from working.
  const settings = needs === "nothing" ? ({} as Settings) : readSettings(Bun.env);
  const command = await COMMANDS[name]();
  const library = needs === "library" ? await import("./library.ts") : undefined;
  let deps: Deps | undefined;
  const open = (options?: { mayBeFull?: boolean }) => {
    if (!library) throw new Error(`${name} is not declared to need the library`);
    deps ??= library.openLibrary(settings, process.stderr, options);
    return deps;
  };
  const remote = () => readAssistantSettings(Bun.env);
  const list = "json" in given.options && given.options.json === true ? listOf() : undefined;
  const print = list?.add ?? printLine;
  try {
    const code = await command({ ...given, open, settings, remote, print, show, say, ask, untilStopped });
    list?.print({ isEmptyToo: true });
    return typeof code === "number" ? code : 0;
  } catch (error) {
    list?.print({ isEmptyToo: false });
    throw error;
  } finally {
    if (deps) library?.closeLibrary(deps);
  }
}

/** Collects what a command lists, for one JSON array. */
function listOf() {
  const rows: object[] = [];
  return {
    add: (row: object) => void rows.push(row),
    /** A command that found faults has listed them before it is refused. */
    print: ({ isEmptyToo }: { isEmptyToo: boolean }) => {
      if (isEmptyToo || rows.length > 0) show(JSON.stringify(rows));
    },
  };
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
