import { type Db, transact } from "../../../../db/client.ts";
import { requireNeed, type SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findVersion, getOwnedTrack } from "../../library/catalog/service.ts";
import { addComment } from "../../sharing/comments/service.ts";
import { noteListen } from "../listens/service.ts";
import * as queries from "./queries.ts";
import type { OutboxItem, OutboxResult } from "./shapes.ts";

/**
 * Stores what a device kept to send later, in order, each thing by itself and once however often it is sent. Times are clamped to the
 * span from the device's beginning to now.
 */
export function takeOutbox(
  deps: Pick<Deps, "db" | "now">,
  actor: SessionActor,
  device: queries.DeviceRow,
  items: readonly OutboxItem[],
): OutboxResult[] {
  return items.map((item) => {
    try {
      return { id: item.id, outcome: takeItem(deps, actor, device, item), code: null };
    } catch (error) {
      if (error instanceof DomainError) return { id: item.id, outcome: "refused", code: error.code };
      throw error;
    }
  });
}

function takeItem(
  deps: Pick<Deps, "db" | "now">,
  actor: SessionActor,
  device: queries.DeviceRow,
  item: OutboxItem,
): "stored" | "known" {
  const { accountId } = actor;
  const now = deps.now();
  const at = Math.min(Math.max(Date.parse(item.at), device.createdAt), now);
  return transact(deps.db, (tx) => {
    if (queries.isSent(tx, accountId, item.id)) return "known";
    if (item.kind === "listen") listen(tx, actor, device, item, { at, now });
    else {
      requireNeed(actor, "create:comments");
      const { trackId, text, positionSec } = item;
      const said = { text, ...(positionSec !== undefined && { positionSec }) };
      addComment({ ...within(deps, tx), db: tx, now: () => at }, actor, trackId, said);
    }
    queries.insertSent(tx, { accountId, id: item.id, at: now });
    return "stored";
  });
}

function listen(
  tx: Db,
  { accountId, personId }: SessionActor,
  device: queries.DeviceRow,
  { id, trackId, versionId, heardSec }: Extract<OutboxItem, { kind: "listen" }>,
  { at, now }: { at: number; now: number },
): void {
  const track = getOwnedTrack(tx, accountId, trackId);
  // It may have been deleted, or moved to another track, since it was heard.
  const heardId = findVersion(tx, versionId)?.trackId === trackId ? versionId : track.activeVersionId;
  const through = { through: "pocket" as const, throughId: device.id };
  noteListen(tx, { id, accountId, personId, trackId, versionId: heardId, at, heardSec, ...through }, now);
}
