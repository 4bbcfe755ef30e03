import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { listCalls, undoCall, undoOwnChange } from "./service.ts";
import {
  AssistantCall,
  AssistantCallParams,
  AssistantCallsQuery,
  CALLS_KEPT_DAYS,
  OwnUndo,
  type Rails,
  UndoAbout,
  UndoOwn,
} from "./shapes.ts";

export type AssistantParts = { rails: Pick<Rails, "flush"> };

const tag = "API keys";

/** What assistants did in the signed-in account's library. */
export const assistantOperations = ({ rails }: AssistantParts) => [
  op({
    at: "GET /assistant/calls",
    id: "listAssistantCalls",
    session: "manage:library",
    input: { query: AssistantCallsQuery },
    tag,
    summary: "List what assistants did, newest first",
    description: `Every call of a tool: who made it, with which arguments, and what it changed. Kept ${CALLS_KEPT_DAYS} days.`,
    answer: Type.Array(AssistantCall),
    siblings: { paging: Paging },
    refusals: [],
    run(deps, { actor, query }) {
      rails.flush();
      return listCalls(deps, actor.accountId, query);
    },
  }),
  op({
    at: "POST /assistant/calls/:callId/undo",
    id: "undoAssistantCall",
    session: "manage:library",
    input: { params: AssistantCallParams },
    tag,
    summary: "Undo what an assistant changed",
    description:
      "Possible once, for `UNDO_DAYS`. Refused, with nothing changed, when the same values have been changed again since.",
    answer: AssistantCall,
    refusals: ["undo_not_found", "changed_since"],
    run: (deps, { actor, params }) => undoCall(deps, actor.accountId, params.callId),
  }),
];

const ownUndo = {
  description:
    "Only what the same key changed through the tool server; possible once, for `UNDO_DAYS`. Refused, with nothing changed, " +
    "when the same values have been changed again since.",
  answer: OwnUndo,
  refusals: ["undo_not_found", "changed_since"],
} as const;

/** What an assistant takes back of its own changes, with the scope that the change itself needs. */
export const ownUndoOperations = [
  op({
    ...ownUndo,
    at: "POST /tracks/undo",
    id: "undoTrackChange",
    key: "update:tracks",
    input: { query: UndoAbout, body: UndoOwn },
    tag: "Tracks",
    summary: "Undo what a tool changed in a track",
    run: (deps, { actor, query, body }) =>
      undoOwnChange(deps, actor, { argument: "trackId", id: query.id }, body),
  }),
  op({
    ...ownUndo,
    at: "POST /playlists/undo",
    id: "undoPlaylistChange",
    key: "update:playlists",
    input: { query: UndoAbout, body: UndoOwn },
    tag: "Playlists",
    summary: "Undo what a tool changed in a playlist",
    run: (deps, { actor, query, body }) =>
      undoOwnChange(deps, actor, { argument: "playlistId", id: query.id }, body),
  }),
  op({
    ...ownUndo,
    at: "POST /composers/undo",
    id: "undoComposerChange",
    key: "update:composer",
    input: { query: UndoAbout, body: UndoOwn },
    tag: "Composers",
    summary: "Undo what a tool changed in a composer",
    run: (deps, { actor, query, body }) =>
      undoOwnChange(deps, actor, { argument: "composerId", id: query.id }, body),
  }),
];
