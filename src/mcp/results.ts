import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RestBody } from "./dispatch.ts";

/** How every refusal for want of a scope ends (specification, "Tool server"). */
const SCOPE_SENTENCE = "the API key is missing a required scope for this action.";

const NOT_FOUND: Readonly<Record<string, string>> = {
  BRIEF_NOT_FOUND: "There is no such brief in this library",
  PLAYLIST_NOT_FOUND: "There is no such playlist in this library",
  TRACK_NOT_FOUND: "There is no such track in this library",
  TRACKS_NOT_FOUND: "Some of the tracks are not in this library",
};

/** A result of one JSON text; also as structured content where the tool says what it looks like. */
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

/** JSON of a result, without its closing brace. What is structured is the text itself, and is not written a second time. */
export function openResultJson(result: CallToolResult): string {
  const [first] = result.content;
  if (result.structuredContent === undefined || first?.type !== "text")
    return JSON.stringify(result).slice(0, -1);
  return `{"content":[{"type":"text","text":${JSON.stringify(first.text)}}],"structuredContent":${first.text}`;
}

/** The result of a call that the API refused: `<messageCode>: <message>`, and in a text of its own what else it said. */
export function refusal({ messageCode, message, data }: Pick<RestBody, "messageCode" | "message" | "data">) {
  return errorResult(
    messageCode === "insufficient_scope" ? scopeMessage(data) : `${messageCode}: ${message}`,
    messageCode === "insufficient_scope" ? undefined : data,
  );
}

/** The result of a problem that a route reports inside a success (decision 4.41). */
export function inBodyRefusal({ ok: _, error, message, ...rest }: Record<string, unknown>): CallToolResult {
  const code = String(error);
  const words = message ?? NOT_FOUND[code] ?? "The request could not be done";
  return errorResult(`${code}: ${words}`, Object.keys(rest).length > 0 ? rest : undefined);
}

/** The text of a refusal for want of a scope; `data.required` names it. */
export function scopeMessage(data: unknown): string {
  const required = (data as { required?: unknown } | undefined)?.required;
  const needed = typeof required === "string" ? `This needs ${required}` : "This needs more than is granted";
  return `insufficient_scope: ${needed}; ${SCOPE_SENTENCE}`;
}

function errorResult(text: string, detail: unknown): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (detail !== undefined) content.push({ type: "text", text: JSON.stringify(detail) });
  return { content, isError: true };
}
