import { op } from "../../../../http/operation.ts";
import { signalOf } from "../../../../http/request-state.ts";
import type { ErrorCode } from "../../../../kernel/errors.ts";
import { spelt } from "../../../../kernel/text.ts";
import { changeMany, changeResult, stopChange, undoMany } from "./bulk.ts";
import {
  BulkChange,
  BulkEdit,
  BulkResult,
  ChangeParams,
  UNDO_MINUTES,
  UndoParams,
  UndoResult,
} from "./shapes.ts";

const tag = "Tracks";
/** What a change of many tracks may be refused for as a whole. */
const REFUSALS: readonly ErrorCode[] = [
  "composer_not_found",
  "invalid_image_url",
  "invalid_image_type",
  "image_download_failed",
  "insufficient_storage",
];
/** How a change of many tracks works, for the document. */
const HOW =
  "Name the tracks, at most 20,000, or choose them by a filter, however many they are. What cannot be changed is named in " +
  "`failed`; the rest is still changed. With `answerWithinMs`, a long change is answered while it continues.";

/** Changing many tracks at once, and undoing it. */
export const bulkOperations = [
  op({
    at: "POST /tracks/bulk",
    id: "updateTracks",
    key: "update:tracks",
    input: { body: BulkEdit },
    tag,
    summary: "Change many tracks at once",
    description: HOW,
    answer: BulkResult,
    refusals: REFUSALS,
    isLong: true,
    run: (deps, { actor, body, request }) => changeMany(deps, actor, body, signalOf(request)),
  }),
  op({
    at: "POST /tracks/bulk",
    id: "changeTracks",
    session: "update:tracks",
    input: { body: BulkChange },
    tag,
    summary: "Change many tracks at once",
    description: HOW,
    answer: BulkResult,
    refusals: ["playlist_not_found", "track_not_found", ...REFUSALS],
    isLong: true,
    run: (deps, { actor, body, request }) => changeMany(deps, actor, body, signalOf(request)),
  }),
  op({
    at: "GET /bulk/:changeId",
    id: "getTracksUpdate",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "getChange",
    input: { params: ChangeParams },
    tag,
    summary: "Get the progress of a change to many tracks",
    description: `Available until ${spelt(UNDO_MINUTES)} minutes after its end.`,
    answer: BulkResult,
    refusals: ["not_found"],
    run: (deps, { actor, params }) => changeResult(deps, actor, params.changeId),
  }),
  op({
    at: "POST /bulk/:changeId/stop",
    id: "stopTracksUpdate",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "stopChange",
    input: { params: ChangeParams },
    tag,
    summary: "Stop a change to many tracks",
    description: "What was done stays done, and can be undone.",
    answer: BulkResult,
    refusals: ["not_found"],
    run: (deps, { actor, params }) => stopChange(deps, actor, params.changeId),
  }),
  op({
    at: "POST /bulk/:changeId/undo",
    id: "undoTracksUpdate",
    key: "update:tracks",
    input: { params: ChangeParams },
    tag,
    summary: "Undo a change to many tracks",
    description: `Possible once, for ${spelt(UNDO_MINUTES)} minutes. What has been changed again since then stays.`,
    answer: UndoResult,
    refusals: ["undo_not_found", "changed_since"],
    isLong: true,
    run: (deps, { actor, params }) => undoMany(deps, actor, params.changeId),
  }),
  op({
    at: "POST /undo/:undoId",
    id: "undoChange",
    session: "read:tracks",
    rooms: true,
    input: { params: UndoParams },
    tag,
    summary: "Undo a change to many tracks, a merge, a join or many answers",
    description:
      `Possible once, for ${spelt(UNDO_MINUTES)} minutes. What has been changed again since then stays; another analysis cannot be ` +
      "undone.",
    answer: UndoResult,
    refusals: ["undo_not_found", "changed_since"],
    isLong: true,
    run: (deps, { actor, params }) => undoMany(deps, actor, params.undoId),
  }),
];
