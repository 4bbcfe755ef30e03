import { Database } from "bun:sqlite";
import { childCommandLine } from "../kernel/child-commands.ts";
import { conditionOf } from "../kernel/condition.ts";
import type { Deps } from "../kernel/deps.ts";
import { giveWay } from "../kernel/processes.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { isDamage } from "../kernel/trouble.ts";

/** The check starts this long after the server, because waiting requests come first. */
const SETTLED_MS = 2 * SECOND_MS;
const NICENESS = 10;
/** Different from 1 and 2, with which a child ends when it cannot check the database. */
const EXIT_DAMAGED = 3;

/** Checks every page of a database. Returns false when it finds damage. */
export function isSound(client: Database): boolean {
  try {
    const found = client.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    return found?.quick_check === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Checks the database in a child process soon after the start. A large database takes seconds. */
export function startPageCheck(deps: Pick<Deps, "db" | "log" | "selfCommand">): { stop: () => void } {
  let child: Bun.Subprocess | undefined;
  const timer = setTimeout(() => {
    const started = Bun.spawn(childCommandLine(deps.selfCommand, "check-pages", deps.db.$client.filename), {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: {},
    });
    child = started;
    giveWay(started.pid, NICENESS);
    void started.exited.then((code) => {
      if (code === EXIT_DAMAGED) conditionOf(deps.db).report(damage());
    });
  }, SETTLED_MS).unref();
  return {
    stop: () => {
      clearTimeout(timer);
      child?.kill("SIGKILL");
    },
  };
}

/** Does the work of {@link startPageCheck} in the child process. Returns its exit code. */
export function runPageCheck(path: string): number {
  const client = new Database(path, { readonly: true });
  try {
    return isSound(client) ? 0 : EXIT_DAMAGED;
  } finally {
    client.close();
  }
}

const damage = () =>
  Object.assign(new Error("PRAGMA quick_check found a damaged page"), { code: "SQLITE_CORRUPT" });
