import { type Db, openDb } from "../../../../db/client.ts";
import type { Log } from "../../../kernel/log.ts";
import { followSecrets } from "../../../kernel/master-secret.ts";
import { type Happening, setMeter } from "../../../kernel/meter.ts";
import { giveWay } from "../../../kernel/processes.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { reportSlowStatements } from "../../../kernel/slow-statements.ts";
import { type Sender, startSender } from "./sender.ts";

// The entry point of the delivery thread: a sender with its own database connection.
declare const self: Worker;

/** Messages to the thread. */
export type ToThread =
  | { kind: "start"; path: string; settings: Settings }
  | { kind: "wake" }
  | { kind: "stop" };
/** Messages from the thread: log records, what the metrics count, and that it has stopped and released everything. */
export type FromThread =
  | { kind: "log"; record: Parameters<Log> }
  | { kind: "happened"; happening: Happening }
  | { kind: "stopped" };

/** Requests have priority. */
const NICENESS = 10;
/** KiB. The main connection has the large cache. */
const PAGE_CACHE = 4096;

// On Linux this sets the niceness of only this thread; elsewhere it would slow down the whole program.
if (process.platform === "linux") giveWay(0, NICENESS);

let sender: Sender | undefined;
let db: Db | undefined;

self.onmessage = async ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "start") sender = start(data);
  if (data.kind === "wake") sender?.wake();
  if (data.kind !== "stop") return;
  await sender?.stop();
  db?.$client.close();
  say({ kind: "stopped" });
};

function start({ path, settings }: Extract<ToThread, { kind: "start" }>): Sender {
  db = openDb(path);
  db.$client.run(`PRAGMA cache_size = -${PAGE_CACHE}`);
  // This keeps the write lock short. After a power cut, lost deliveries are sent again; kill -9 loses nothing.
  db.$client.run("PRAGMA synchronous = NORMAL");
  const log: Log = (...record) => say({ kind: "log", record });
  if (settings.metricsToken !== undefined) setMeter(db, (happening) => say({ kind: "happened", happening }));
  reportSlowStatements({ db, log, settings });
  return startSender({ db, now: Date.now, log, settings, secrets: followSecrets(db, settings) });
}

function say(message: FromThread): void {
  self.postMessage(message);
}
