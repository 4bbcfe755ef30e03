import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ValidationIssue } from "../../kernel/errors.ts";
import type { RestBody } from "./dispatch.ts";

/** The end of every refusal for a missing scope (specification, "Tool server"). */
const SCOPE_SENTENCE = "the API key is missing a required scope for this action.";

const NOT_FOUND: Readonly<Record<string, string>> = {
  BRIEF_NOT_FOUND: "There is no such brief in this library",
  PLAYLIST_NOT_FOUND: "There is no such playlist in this library",
  TRACK_NOT_FOUND: "There is no such track in this library",
  TRACKS_NOT_FOUND: "Some of the tracks are not in this library",
};

/** What to do about a refusal, where its message does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  BRIEF_NOT_FOUND: "list_briefs gives the valid values of briefId",
  brief_not_found: "list_briefs gives the valid values of briefId",
  composer_not_found: "list_composers gives the valid values of composerId",
  duplicate_email: "Find that composer with list_composers, and change it with update_composer",
  not_enough_credits: "Browse with list_tracks, which is free, or ask the owner for credits",
  PLAYLIST_NOT_FOUND: "list_playlists gives the valid values of playlistId",
  playlist_not_found: "list_playlists gives the valid values of playlistId",
  TRACK_NOT_FOUND: "list_tracks and search_tracks give the valid values of trackId",
  track_not_found: "list_tracks and search_tracks give the valid values of trackId",
  TRACKS_NOT_FOUND: "Leave out the ids in missing, or find the right ones with list_tracks or search_tracks",
  undo_not_found: "Only what this client changed with a tool can be taken back, once, until undo.until",
  version_not_found: "list_track_versions gives the valid values of versionId",
};

/** Returns a result with one JSON text, and the same as structured content. */
export function textResult(payload: object, text = JSON.stringify(payload)): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: payload as Record<string, unknown> };
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
 * Returns the result of a call that the API refused: `<messageCode>: <message>`, with what is wrong and what to do about
 * it, and its other data in a second text.
 */
export function refusal({ messageCode, message, data }: Pick<RestBody, "messageCode" | "message" | "data">) {
  if (messageCode === "insufficient_scope") return errorResult(scopeMessage(data), undefined);
  const code = String(messageCode);
  return errorResult(sentence(code, message, message === "Invalid request" ? faultsIn(data) : []), data);
}

/** Returns the faults that a refusal names. */
export function issuesIn(data: unknown): ValidationIssue[] {
  const errors = (data as { errors?: unknown } | undefined)?.errors;
  return Array.isArray(errors) ? (errors as ValidationIssue[]) : [];
}

/** Returns each fault in words; an unknown tag with the nearest ones. */
function faultsIn(data: unknown): string[] {
  const { nearest = {} } = (data ?? {}) as { nearest?: Record<string, Record<string, string[]>> };
  return issuesIn(data).flatMap(({ path, code, detail }) => {
    const offers = code === "unknown_tag" ? nearest[path.slice(path.lastIndexOf(".") + 1)] : undefined;
    if (!offers) return `${path}: ${detail}`;
    return Object.entries(offers).map(
      ([name, tags]) =>
        `${path}: ${JSON.stringify(name.slice(0, 60))} is ${detail}, nearest: ${tags.join(", ")}`,
    );
  });
}

/** Returns the text of a refusal. */
function sentence(code: string, message: string, faults: readonly string[]): string {
  const what = faults.length > 0 ? `${message}: ${faults.join("; ")}` : message;
  return `${code}: ${[what, ADVICE[code]].filter((each) => each !== undefined).join(". ")}`;
}

/** Returns the result for a problem that a route reports inside a success (decision 4.41). */
export function inBodyRefusal({ ok: _, error, message, ...rest }: Record<string, unknown>): CallToolResult {
  const code = String(error);
  const words = message ?? NOT_FOUND[code] ?? "The request could not be completed";
  return errorResult(sentence(code, String(words), []), Object.keys(rest).length > 0 ? rest : undefined);
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
