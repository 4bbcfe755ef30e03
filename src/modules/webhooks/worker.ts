import { setPriority } from "node:os";
import { type Db, openDb } from "../../../db/client.ts";
import type { Log } from "../../kernel/log.ts";
import type { Settings } from "../../kernel/settings.ts";
import { type Engine, startEngine } from "./engine.ts";

// The entry of the delivery thread: an engine with a database connection of its own.
declare const self: Worker;

/** What the thread hears. */
export type ToThread =
  | { kind: "start"; path: string; settings: Settings; secretKey: Uint8Array }
  | { kind: "wake" }
  | { kind: "stop" };
/** What it says: log records, and that it has let go of everything. */
export type FromThread = { kind: "log"; record: Parameters<Log> } | { kind: "stopped" };

/** Requests come first. */
const NICENESS = 10;
/** KiB. The main connection has the large one. */
const PAGE_CACHE = 4096;

// On Linux this is the niceness of this thread alone; elsewhere it would slow down the whole program.
if (process.platform === "linux") setPriority(0, NICENESS);

let engine: Engine | undefined;
let db: Db | undefined;

self.onmessage = async ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "start") engine = start(data);
  if (data.kind === "wake") engine?.wake();
  if (data.kind !== "stop") return;
  await engine?.stop();
  db?.$client.close();
  say({ kind: "stopped" });
};

function start({ path, settings, secretKey }: Extract<ToThread, { kind: "start" }>): Engine {
  db = openDb(path);
  db.$client.run(`PRAGMA cache_size = -${PAGE_CACHE}`);
  // What a power cut takes away here is sent again. That keeps the write lock short; kill -9 takes nothing away.
  db.$client.run("PRAGMA synchronous = NORMAL");
  const log: Log = (...record) => say({ kind: "log", record });
  const key = Buffer.from(secretKey);
  return startEngine({ db, now: Date.now, log, settings, secrets: () => key });
}

function say(message: FromThread): void {
  self.postMessage(message);
}
