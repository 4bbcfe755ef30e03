import { openReadOnly } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Log, LogLevel } from "../../../../kernel/log.ts";
import { reportSlowStatements } from "../../../../kernel/slow-statements.ts";
import { createEngine, type EngineTask, type SearchEngine } from "./engine.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { createMirror, MAX_TRACKS, type Mirror } from "./mirror.ts";
import { type SnapshotRow, snapshotFolder } from "./snapshots.ts";
import { getReady, warm } from "./warm.ts";

// The entry of the search thread. It reads through its own connection and never writes.
declare const self: Worker;

/** Messages to the thread. The first one opens the library. */
export type ToThread =
  | { kind: "open"; path: string; slowQueryMs: number }
  | { kind: "task"; id: number; task: EngineTask }
  | { kind: "warm" }
  | { kind: "ready"; ownerId: LibraryId }
  | { kind: "ping" };
/** Messages from the thread that are not answers. */
export type ThreadReport =
  | { kind: "log"; level: LogLevel; message: string; fields: Record<string, unknown> }
  /** A file of an account's index has been written. */
  | { kind: "kept"; row: SnapshotRow };
/** All messages from the thread. */
export type FromThread =
  | ThreadReport
  | { kind: "done"; id: number; answer: unknown }
  | { kind: "error"; id: number; error: unknown }
  | { kind: "pong" };

/** Never aborts: callers stop waiting by themselves. */
const NEVER = new AbortController().signal;

type Opened = { engine: SearchEngine; mirror: Mirror; keeper: Keeper | undefined };
let opened: Opened | undefined;

const log: Log = (level, message, fields = {}) => say({ kind: "log", level, message, fields });

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "ping") return say({ kind: "pong" });
  if (data.kind === "task") return void answer(data.id, data.task);
  if (data.kind === "open") opened = open(data);
  else if (opened && data.kind === "ready") void getReady(opened, data.ownerId, log);
  else if (opened) void warm(opened.mirror, opened.keeper);
};

function open({ path, slowQueryMs }: Extract<ToThread, { kind: "open" }>): Opened {
  const db = openReadOnly(path);
  reportSlowStatements({ db, log, settings: { slowQueryMs } });
  const mirror = createMirror(db, MAX_TRACKS, log);
  const folder = snapshotFolder(db);
  const keeper = folder && createKeeper({ mirror, folder, log }, (row) => say({ kind: "kept", row }));
  return { engine: createEngine(db, mirror), mirror, keeper: keeper || undefined };
}

async function answer(id: number, task: EngineTask): Promise<void> {
  try {
    if (!opened) throw new Error("The search thread was not told which library it serves");
    const { engine, keeper } = opened;
    const result =
      task.kind === "search" ? await engine.search(task, NEVER) : await engine.similar(task, NEVER);
    say({ kind: "done", id, answer: result });
    keeper?.note(task.ownerId);
  } catch (error) {
    say({ kind: "error", id, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function say(message: FromThread): void {
  self.postMessage(message);
}
