import { type Db, transact } from "../../../../db/client.ts";
import { diffRows, type RowImage, type RowSet, readRows } from "../../../../db/row-images.ts";
import { watched } from "../../../../db/watch.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { DAY_MS, SECOND_MS } from "../../../kernel/time.ts";
import { type KeptRows, keepRows } from "../../library/desk/service.ts";
import { type KeptSound, keepSound } from "../../library/recordings/service.ts";
import { type KeptNotes, keepNotes } from "../../sharing/comments/service.ts";
import { counts, describeChanges } from "./describe.ts";
import * as queries from "./queries.ts";
import { redacted } from "./redact.ts";
import type { Effect, Entity, Rails, ToolCall } from "./shapes.ts";

type RailDeps = Pick<Deps, "db" | "now" | "log" | "settings">;

const MAX_CHANGES = 50;
const MAX_CLIENT = 100;
const FLUSH_MS = SECOND_MS;
/** While nothing can be written. */
const MAX_NOTED = 10_000;

/** The rows that make an entity, in the order in which they may be inserted. */
const ROWS: Readonly<Record<Entity, readonly Omit<RowSet, "value">[]>> = {
  track: [
    { table: "tracks", column: "id" },
    { table: "track_tags", column: "track_id" },
    // What the tags teach the account's models.
    { table: "tag_feedback", column: "track_id" },
    { table: "tag_decisions", column: "track_id" },
    { table: "track_shareholders", column: "track_id" },
  ],
  version: [
    { table: "versions", column: "id" },
    { table: "analyses", column: "version_id" },
    { table: "timed_lyrics", column: "version_id" },
  ],
  playlist: [
    { table: "playlists", column: "id" },
    { table: "playlist_tracks", column: "playlist_id" },
  ],
  composer: [
    { table: "composers", column: "id" },
    { table: "track_shareholders", column: "composer_id" },
  ],
};

/** Makes the rails of a library. */
export function createRails(deps: RailDeps): Rails {
  const { db, log } = deps;
  let noted: queries.CallRow[] = [];
  let timer: Timer | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (noted.length === 0) return;
    try {
      transact(db, (tx) => {
        for (const row of noted) queries.insertCall(tx, row);
      });
      noted = [];
    } catch (error) {
      log("error", "Calls of assistants cannot be noted now; they are kept", { error });
      conditionOf(db).report(error);
      noted = noted.slice(-MAX_NOTED);
    }
  };
  const note = (row: queries.CallRow) => {
    noted.push(row);
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  const run: Rails["run"] = async (call, work, outcomeOf) => {
    const startedAt = performance.now();
    const seen = call.target ? watchOf(deps, call, startedAt) : undefined;
    const result = seen ? await watched(seen.watch, work) : await work();
    const effect = seen?.effect ?? { changes: [], isCut: false };
    if (!seen?.kept.isKept) note(rowOf(deps, call, { startedAt, outcome: outcomeOf(result), effect }));
    return { result, effect };
  };
  return { run, flush, asksFirst: (accountId) => queries.selectConfirm(db, accountId) === "deletes" };
}

/** Sees what a call does to its target, and keeps it in the transaction that does it. */
function watchOf(deps: RailDeps, call: ToolCall, startedAt: number) {
  const sets = setsOf(call);
  const effect: Effect = { changes: [], isCut: false };
  /** The call is noted in the transaction of its change. */
  const kept = { isKept: false };
  let before: RowImage = new Map();
  let sound: KeptSound | undefined;
  let notes: KeptNotes | undefined;
  const end = (tx: Db) => {
    const after = readRows(tx, sets);
    const rows = diffRows(before, after, counts);
    if (rows.length === 0 || call.accountId === null) return;
    const changes = describeChanges(rows, { before, after }, call.target?.entity);
    effect.changes = changes.slice(0, MAX_CHANGES);
    effect.isCut = changes.length > MAX_CHANGES;
    if (call.isRehearsal) return;
    const isGone = rows.some(({ table, after: left }) => table === "versions" && left === null);
    const undo = keepUndo(tx, deps, call, { rows, ...(isGone && { sound, notes }) });
    if (undo) effect.undo = undo;
    kept.isKept = true;
    queries.insertCall(tx, rowOf(deps, call, { startedAt, outcome: "ok", effect }));
  };
  const begin = (tx: Db) => {
    before = readRows(tx, sets);
    if (call.target?.entity !== "version") return;
    sound = keepSound(tx, call.target.id);
    notes = keepNotes(tx, call.target.id);
  };
  return { watch: { begin, end, isRehearsal: call.isRehearsal, isOver: false }, effect, kept };
}

function keepUndo(
  tx: Db,
  { now, settings }: RailDeps,
  { accountId, target }: ToolCall,
  kept: KeptRows,
): Effect["undo"] {
  if (settings.undoDays === 0 || accountId === null || !target) return undefined;
  const [id, createdAt] = [newId("undo"), now()];
  const until = createdAt + settings.undoDays * DAY_MS;
  keepRows(tx, { id, accountId, createdAt, until }, target.id, kept);
  return { id, until };
}

function setsOf({ target }: ToolCall): RowSet[] {
  return target ? ROWS[target.entity].map((set) => ({ ...set, value: target.id })) : [];
}

function rowOf(
  { now }: Pick<Deps, "now">,
  call: ToolCall,
  { startedAt, outcome, effect }: { startedAt: number; outcome: string; effect: Effect },
): queries.CallRow {
  return {
    id: newId("call"),
    accountId: call.accountId ?? "",
    keyId: call.keyId,
    client: call.client.slice(0, MAX_CLIENT),
    tool: call.tool,
    arguments: JSON.stringify(redacted(call.arguments)),
    outcome,
    isRehearsal: Number(call.isRehearsal),
    changes: JSON.stringify(effect.changes.map(redacted)),
    undoId: effect.undo?.id ?? null,
    durationMs: Math.round(performance.now() - startedAt),
    at: now(),
    personId: call.personId ?? null,
  };
}
