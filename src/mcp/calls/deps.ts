import type { Log } from "../../kernel/log.ts";
import type { Rails } from "../../modules/outward/assistant/shapes.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Operations } from "./operations.ts";

/** Waits; ends early, without an error, when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** What tool calls need. */
export type ToolDeps = {
  dispatch: Dispatch;
  operations: Operations;
  rails: Rails;
  context: ToolContext;
  now: () => number;
  log: Log;
  pause: Pause;
};
