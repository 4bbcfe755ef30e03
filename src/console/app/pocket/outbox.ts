import type { OutboxItem, OutboxResult } from "../../../modules/pocket/devices/shapes.ts";
import { MAX_COMMENT, MAX_POSITION_SEC } from "../../../modules/sharing/comments/shapes.ts";
import { CHANNEL, change, type DeviceRow, type Owner, prefixOf, readRows } from "./store.ts";

/** Something that waits to be sent. */
export type OutboxRow = {
  key: string;
  item: OutboxItem;
  /** The title of its track. */
  title: string;
  /** Until when, by the device's clock, the player may add to it. */
  growsUntil: number;
  /** Why the server did not take it; null: it has not been asked yet. */
  refusal: string | null;
};

/** What became of an attempt: the session has ended, the device is no longer one, or the server was not there. */
export type Sent = "sent" | "signedOut" | "gone" | "lost";

/** The most that the server takes at once. */
const AT_ONCE = 100;
/** How long the player has something to itself after it last wrote it. */
const GROWS_MS = 30_000;

/** Returns what waits, oldest first. */
export async function readOutbox(owner: Owner): Promise<OutboxRow[]> {
  const rows = await readRows<OutboxRow>("outbox", prefixOf(owner));
  return rows.sort((a, b) => Date.parse(a.item.at) - Date.parse(b.item.at));
}

/** Keeps something until it can be sent. `isWhole`: nothing is added to it any more. */
export function putOutbox(
  owner: Owner,
  { item, title, isWhole }: { item: OutboxItem; title: string; isWhole: boolean },
): Promise<void> {
  const row: OutboxRow = {
    key: prefixOf(owner) + item.id,
    item,
    title,
    growsUntil: isWhole ? 0 : Date.now() + GROWS_MS,
    refusal: null,
  };
  return change(["outbox"], (store) => store("outbox").put(row));
}

/** Makes a comment at a time of a track. The server takes no longer text, and refuses everything with it. */
export function commentOf(
  trackId: string,
  said: { text: string; positionSec: number; at: number },
): OutboxItem {
  return {
    kind: "comment",
    id: crypto.randomUUID(),
    trackId,
    text: said.text.trim().slice(0, MAX_COMMENT),
    positionSec: Math.min(Math.max(0, said.positionSec), MAX_POSITION_SEC),
    at: new Date(said.at).toISOString(),
  };
}

/** Throws something away that was refused. */
export const dropOutbox = ({ key }: OutboxRow): Promise<void> =>
  change(["outbox"], (store) => store("outbox").delete(key));

/**
 * Sends what waits, oldest first. Each thing is deleted after its own result, so what is sent again is known there. A refused comment stays,
 * for its text; what was heard of a track that is gone does not.
 */
export function sendOutbox(device: DeviceRow): Promise<Sent> {
  // One tab at a time.
  return navigator.locks.request(`${CHANNEL} outbox ${prefixOf(device)}`, () => sendInTurn(device));
}

async function sendInTurn(device: DeviceRow): Promise<Sent> {
  for (;;) {
    const rows = (await readOutbox(device)).filter(isReady).slice(0, AT_ONCE);
    if (rows.length === 0) return "sent";
    const answer = await post(device, rows);
    if (typeof answer === "string") return answer;
    await settle(rows, answer);
  }
}

/** A clock that was set back must not hold something for longer than the player does. */
function isReady({ growsUntil, refusal }: OutboxRow): boolean {
  const msLeft = growsUntil - Date.now();
  return refusal === null && (msLeft <= 0 || msLeft > GROWS_MS);
}

async function post(device: DeviceRow, rows: readonly OutboxRow[]): Promise<OutboxResult[] | Sent> {
  try {
    const response = await fetch(`${device.root}/app/pocket/${device.id}/outbox`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-library": device.libraryId },
      body: JSON.stringify({ items: rows.map(({ item }) => item) }),
    });
    if (response.status === 401) return "signedOut";
    const { data, messageCode } = await response.json();
    if (messageCode === "pocket_not_found") return "gone";
    return response.ok ? data.results : "lost";
  } catch {
    return "lost";
  }
}

function settle(rows: readonly OutboxRow[], results: readonly OutboxResult[]): Promise<void> {
  const byId = new Map(rows.map((row) => [row.item.id, row]));
  return change(["outbox"], (store) => {
    for (const { id, outcome, code } of results) {
      const row = byId.get(id);
      if (!row) continue;
      if (outcome === "refused" && isComment(row))
        store("outbox").put({ ...row, refusal: code ?? "refused" } satisfies OutboxRow);
      else store("outbox").delete(row.key);
    }
  });
}

export type CommentRow = OutboxRow & { item: Extract<OutboxItem, { kind: "comment" }> };
export const isComment = (row: OutboxRow): row is CommentRow => row.item.kind === "comment";
