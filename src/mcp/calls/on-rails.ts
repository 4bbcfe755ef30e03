import type { CallToolResult } from "@modelcontextprotocol/server";
import { toIso } from "../../kernel/time.ts";
import type { Change, Effect, Entity } from "../../modules/outward/assistant/shapes.ts";
import type { Caller } from "../caller.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolDeps } from "./deps.ts";
import { textResult } from "./results.ts";

type ToolCall = { input: Record<string, unknown>; caller: Caller };

/**
 * Does a call so that its owner sees it. The answer of a tool that destroys or replaces something says whether it was only a
 * preview, what would change, and how long the change can be taken back.
 */
export async function onRails(
  { rails, context }: ToolDeps,
  { name, target: changes }: Tool,
  { input, caller }: ToolCall,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const actor = actorOf(caller);
  if (!actor) return work(); // it is refused, and says why
  // What is taken back is not kept to be taken back again.
  const target = input.undo === undefined ? changes : undefined;
  const id = target && input[target.argument];
  const isRehearsal = changes !== undefined && input.dryRun === true;
  const call = {
    ...actor,
    client: caller.client,
    tool: name,
    arguments: input,
    isRehearsal,
    ...(target && typeof id === "string" && { target: { entity: target.entity, id } }),
  };
  const { result, effect } = await rails.run(call, work, outcomeOf);
  if (!target || result.isError) return result;
  // A preview may name changes besides those of the target.
  const { changes: others = [], ...answer } = result.structuredContent as { changes?: Change[] };
  const undoUrl = `${context.publicUrl}/library/assistant`;
  const seen = { ...effect, changes: [...effect.changes, ...others] };
  const how = { url: undoUrl, tool: UNDONE_WITH[target.entity] };
  return textResult({ ...answer, ...shown(seen, isRehearsal, how) });
}

/** Returns who calls; undefined when the key has become invalid since the connection was made. */
export function actorOf(caller: Caller): Caller["principal"]["actor"] | undefined {
  try {
    return caller.principal.actor;
  } catch {
    return undefined;
  }
}

/** Returns `ok`, or the code with which a refusal begins. */
function outcomeOf({ isError, content: [first] }: CallToolResult): string {
  if (!isError) return "ok";
  return (first?.type === "text" && /^\w+(?=:)/.exec(first.text)?.[0]) || "error";
}

/** The tool whose `undo` takes back what was changed of a thing. */
const UNDONE_WITH: Readonly<Record<Entity, string>> = {
  track: "update_track_details",
  version: "update_track_details",
  playlist: "update_playlist",
  composer: "update_composer",
};

function shown({ changes, isCut, undo }: Effect, isRehearsal: boolean, how: { url: string; tool: string }) {
  if (isRehearsal) return { dryRun: true, changes, ...(isCut && { changesTruncated: true }) };
  return { dryRun: false, ...(undo && { undo: { id: undo.id, until: toIso(undo.until), ...how } }) };
}
