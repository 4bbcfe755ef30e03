import { openReadOnly } from "../../../../db/client.ts";
import { createEngine, type EngineTask, type SearchEngine } from "./engine.ts";
import { createMirror } from "./mirror.ts";
import { warm } from "./warm.ts";

// The entry of a search thread. It reads through a connection of its own and never writes.
declare const self: Worker;

/** What the thread hears. The first message opens the library. */
export type ToThread =
  | { kind: "open"; path: string }
  | { kind: "task"; id: number; task: EngineTask }
  | { kind: "ping" };
/** What it says. */
export type FromThread =
  | { kind: "done"; id: number; answer: unknown }
  | { kind: "error"; id: number; error: unknown }
  | { kind: "pong" };

/** Whoever asked has stopped waiting by itself. */
const NEVER = new AbortController().signal;

let engine: SearchEngine | undefined;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "ping") return say({ kind: "pong" });
  if (data.kind === "task") return void answer(data.id, data.task);
  const db = openReadOnly(data.path);
  const mirror = createMirror(db);
  engine = createEngine(db, mirror);
  void warm(mirror);
};

async function answer(id: number, task: EngineTask): Promise<void> {
  try {
    if (!engine) throw new Error("The search thread was not told which library it serves");
    const result =
      task.kind === "search" ? await engine.search(task, NEVER) : await engine.similar(task, NEVER);
    say({ kind: "done", id, answer: result });
  } catch (error) {
    say({ kind: "error", id, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function say(message: FromThread): void {
  self.postMessage(message);
}
