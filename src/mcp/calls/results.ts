import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RestBody } from "./dispatch.ts";

/** The end of every refusal for a missing scope (specification, "Tool server"). */
const SCOPE_SENTENCE = "the API key is missing a required scope for this action.";

const NOT_FOUND: Readonly<Record<string, string>> = {
  BRIEF_NOT_FOUND: "There is no such brief in this library",
  PLAYLIST_NOT_FOUND: "There is no such playlist in this library",
  TRACK_NOT_FOUND: "There is no such track in this library",
  TRACKS_NOT_FOUND: "Some of the tracks are not in this library",
};

/** Returns a result with one JSON text, and the same as structured content when the tool has an output schema. */
export function textResult(
  payload: object,
  isStructured: boolean,
  text = JSON.stringify(payload),
): CallToolResult {
  return {
    content: [{ type: "text", text }],
    ...(isStructured && { structuredContent: payload as Record<string, unknown> }),
  };
}

/**
 * Returns the JSON of a result without its closing brace. The structured content is the text itself, so it is not
 * serialised twice.
 */
export function openResultJson(result: CallToolResult): string {
  const [first] = result.content;
  if (result.structuredContent === undefined || first?.type !== "text")
    return JSON.stringify(result).slice(0, -1);
  return `{"content":[{"type":"text","text":${JSON.stringify(first.text)}}],"structuredContent":${first.text}`;
}

/**
 * Returns the result of a call that the API refused: `<messageCode>: <message>`, and its other data in a second
 * text.
 */
export function refusal({ messageCode, message, data }: Pick<RestBody, "messageCode" | "message" | "data">) {
  return errorResult(
    messageCode === "insufficient_scope" ? scopeMessage(data) : `${messageCode}: ${message}`,
    messageCode === "insufficient_scope" ? undefined : data,
  );
}

/** Returns the result for a problem that a route reports inside a success (decision 4.41). */
export function inBodyRefusal({ ok: _, error, message, ...rest }: Record<string, unknown>): CallToolResult {
  const code = String(error);
  const words = message ?? NOT_FOUND[code] ?? "The request could not be completed";
  return errorResult(`${code}: ${words}`, Object.keys(rest).length > 0 ? rest : undefined);
}

/** Returns the text of a refusal for a missing scope. `data.required` names the scope. */
export function scopeMessage(data: unknown): string {
  const required = (data as { required?: unknown } | undefined)?.required;
  const needed =
    typeof required === "string" ? `This needs ${required}` : "This needs more scopes than were granted";
  return `insufficient_scope: ${needed}; ${SCOPE_SENTENCE}`;
}

function errorResult(text: string, detail: unknown): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (detail !== undefined) content.push({ type: "text", text: JSON.stringify(detail) });
  return { content, isError: true };
}
