import { closeSync, openSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { childCommandLine } from "../kernel/child-commands.ts";
import type { Deps } from "../kernel/deps.ts";
import { LibraryError } from "../kernel/errors.ts";
import { isDamage, isFullDisk } from "../kernel/trouble.ts";
import { copyDatabase } from "./copy-database.ts";

/** The report of the child process, one JSON object. */
type Report = { ok: true } | { ok: false; reason: "damaged" | "full" | "other"; detail: string };

/**
 * Writes a consistent, checked copy of a database to a new file that only its owner can read. A child process does
 * this, because it blocks its thread. If it fails, no file is left.
 *
 * @throws LibraryError when the database is damaged or the disk is full; a system error when `target` exists.
 */
export async function takeSnapshot(
  { selfCommand }: Pick<Deps, "selfCommand">,
  source: string,
  target: string,
): Promise<void> {
  closeSync(openSync(target, "wx", 0o600));
  try {
    const child = Bun.spawn(childCommandLine(selfCommand, "library-snapshot", source, target), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
      env: {},
    });
    const text = await child.stdout.text();
    await child.exited;
    // A killed child prints nothing.
    const report: Report = text === "" ? { ok: false, reason: "other", detail: "" } : JSON.parse(text);
    if (!report.ok) throw refusalOf(report, source, target);
  } catch (error) {
    rmSync(target, { force: true });
    rmSync(`${target}-journal`, { force: true });
    throw error;
  }
}

function refusalOf({ reason, detail }: Report & { ok: false }, source: string, target: string): Error {
  if (reason === "damaged")
    return new LibraryError(`${source} is damaged (${detail}): restore a backup, or see docs/recovery.md`);
  if (reason === "full") return new LibraryError(`There is no room for ${target}: free some space`);
  return new Error(`The copy of the database ended early: ${detail}`);
}

/** Runs as the child process that copies a database. Returns the exit code. */
export function runSnapshot([source = "", target = ""]: readonly string[]): number {
  // Requests go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    copyDatabase(source, target);
    console.log(JSON.stringify({ ok: true } satisfies Report));
    return 0;
  } catch (error) {
    const reason = isFullDisk(error) ? "full" : isDamage(error) ? "damaged" : "other";
    const detail = error instanceof Error ? error.message : String(error);
    console.log(JSON.stringify({ ok: false, reason, detail } satisfies Report));
    return 1;
  }
}
