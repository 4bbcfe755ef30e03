import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../kernel/deps.ts";
import { apiRootOf, mcpBaseOf, publicUrlOf } from "../kernel/settings.ts";
import type { Rails } from "../modules/outward/assistant/shapes.ts";
import type { Credentials } from "./caller.ts";
import { toolEntry } from "./calls/call.ts";
import type { Pause } from "./calls/deps.ts";
import type { Dispatch } from "./calls/dispatch.ts";
import type { Operations } from "./calls/operations.ts";
import { PROMPTS } from "./prompts.ts";
import { challenges } from "./protocol/challenge.ts";
import { createMcp, type McpHandler } from "./protocol/http.ts";
import { narrowed, strangersIn } from "./protocol/selection.ts";
import { type NewServer, serverFactory } from "./protocol/server.ts";
import { resourceEntries } from "./resources.ts";
import { joined, type Surface } from "./surface.ts";
import { TOOLS } from "./tools.ts";

/** Additions and replacements for the tool server. Tests use them. */
export type McpVariant = { extension?: Surface; pause?: Pause };

/** The tool server: over HTTP, and in a form that stdio can serve. */
export type ToolServer = { serve: McpHandler; newServer: NewServer };

type ToolServerOptions = {
  dispatch: Dispatch;
  operations: Operations;
  credentials: Credentials;
  rails: Rails;
  /** The address where a client learns how to sign in. */
  resourceMetadataUrl: string;
  variant?: McpVariant | undefined;
};

/** Makes the tool server. */
export function createToolServer(
  deps: Pick<Deps, "now" | "log" | "settings">,
  { dispatch, operations, credentials, rails, resourceMetadataUrl, variant = {} }: ToolServerOptions,
): ToolServer {
  const { settings, log, now } = deps;
  const toolDeps = {
    dispatch,
    operations,
    rails,
    context: { publicUrl: publicUrlOf(settings) },
    now,
    log,
    pause: variant.pause ?? pause,
  };
  const own: Surface = {
    tools: TOOLS.map((tool) => toolEntry(toolDeps, tool)),
    resources: resourceEntries(dispatch),
    prompts: PROMPTS,
  };
  const selection = { names: settings.mcpTools, isReadOnly: settings.mcpReadOnly };
  const strangers = strangersIn(TOOLS, selection);
  if (strangers.length > 0) log("error", "MCP_TOOLS names tools that do not exist", { tools: strangers });
  const offered = narrowed(own, selection);
  const surface = variant.extension ? joined(offered, variant.extension) : offered;
  const newServer = serverFactory(surface);
  const roots = [mcpBaseOf(settings), apiRootOf(settings), publicUrlOf(settings), ...settings.corsOrigins];
  const serve = createMcp({
    surface,
    credentials,
    challenges: challenges(resourceMetadataUrl),
    hosts: new Set(roots.map((root) => new URL(root).hostname)),
    log,
  });
  return { serve, newServer };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The abort wakes it, which is not an error here.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
