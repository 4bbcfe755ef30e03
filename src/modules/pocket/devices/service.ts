import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { requireText } from "../../../kernel/text.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import { allowedToMaker } from "../../people/team/service.ts";
import { takeOutbox } from "./outbox.ts";
import * as queries from "./queries.ts";
import {
  type CreatedDevice,
  type Device,
  MAX_DEVICES,
  type OutboxItem,
  type OutboxResult,
  SENT_KEPT_DAYS,
  type SyncDevice,
  type Synced,
  WITHDRAWN_KEPT_DAYS,
} from "./shapes.ts";
import { whatToKeep } from "./sync.ts";

type DeviceDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

const MAX_USER_AGENT = 300;
/** Compared against when there is no such device. */
const NO_TOKEN_HASH = Buffer.alloc(32);

/**
 * Makes a device of the member, with a token that it learns by whether its copies were withdrawn, also without a session. Audited.
 *
 * @throws DomainError `too_many_devices`; `validation_failed` when the name is blank.
 */
export function createDevice(
  { db, now }: DeviceDeps,
  { accountId, personId }: SessionActor,
  { name: given, userAgent }: { name: string; userAgent: string | null },
): CreatedDevice {
  const name = requireText("name", given);
  return transact(db, (tx) => {
    if (queries.countDevices(tx, accountId, personId) >= MAX_DEVICES)
      throw new DomainError(
        "too_many_devices",
        `${MAX_DEVICES} devices keep music already: remove the copies of one first`,
      );
    const id = newId("pkt");
    const token = newToken(32);
    queries.insertDevice(tx, {
      id,
      accountId,
      personId,
      tokenHash: sha256(token),
      name,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      createdAt: now(),
    });
    audit(tx, { actor: accountId, action: "device.create", subject: id, detail: { name } }, now());
    return { id, token };
  });
}

/**
 * Returns what a device of the member is to keep, and how long it may play it; notes what it has.
 *
 * @throws DomainError `pocket_not_found`, also once its copies were withdrawn; `too_many_tracks`.
 */
export async function syncDevice(
  deps: DeviceDeps,
  actor: SessionActor,
  id: string,
  { sent, accepts }: { sent: SyncDevice; accepts: readonly string[] },
): Promise<Synced> {
  getOwn(deps.db, actor, id);
  const synced = await whatToKeep(deps, actor, sent, accepts);
  const change = { wants: sent.wants, tracks: sent.has.length, bytes: sent.bytes, syncedAt: deps.now() };
  transact(deps.db, (tx) => queries.updateDevice(tx, id, change));
  return synced;
}

/**
 * Stores what a device of the member kept to send later.
 *
 * @throws DomainError `pocket_not_found`.
 */
export function sendOutbox(
  deps: DeviceDeps,
  actor: SessionActor,
  id: string,
  items: readonly OutboxItem[],
): OutboxResult[] {
  return takeOutbox(deps, actor, getOwn(deps.db, actor, id), items);
}

/** Returns the devices that keep or kept music: the member's own; for those who manage keys, everybody's. Newest first. */
export function listOwnDevices(deps: DeviceDeps, actor: SessionActor): Device[] {
  const { accountId, personId } = actor;
  const isShown = (row: queries.DeviceRow) => mayDo(actor, "manage:keys") || row.personId === personId;
  const rows = queries.listDevices(deps.db, accountId).filter(isShown);
  const by = peopleIn(
    deps,
    accountId,
    rows.map((row) => row.personId),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    tracks: row.tracks,
    bytes: row.bytes,
    createdAt: toIso(row.createdAt),
    syncedAt: toIsoOrNull(row.syncedAt),
    withdrawnAt: toIsoOrNull(row.withdrawnAt),
    madeBy: by(row.personId),
  }));
}

/**
 * Withdraws the copies of a device: it gets nothing more, and deletes what it has when it next reaches the server. Audited.
 *
 * @throws DomainError `pocket_not_found`.
 */
export function withdrawDevice({ db, now }: DeviceDeps, actor: SessionActor, id: string): void {
  transact(db, (tx) => {
    const row = queries.findDevice(tx, actor.accountId, id);
    if (!row || (!mayDo(actor, "manage:keys") && row.personId !== actor.personId)) throw noSuchDevice();
    withdraw(tx, row, now());
  });
}

/** Withdraws the copies of all devices of somebody in a library. Audited. Call it in the transaction that ends the membership. */
export function withdrawDevicesOf(
  tx: Db,
  { accountId, personId }: { accountId: LibraryId; personId: PersonId },
  at: number,
): void {
  for (const row of queries.listDevices(tx, accountId))
    if (row.personId === personId && row.withdrawnAt === null) withdraw(tx, row, at);
}

function withdraw(tx: Db, { id, name, accountId }: queries.DeviceRow, at: number): void {
  queries.updateDevice(tx, id, { withdrawnAt: at });
  audit(tx, { actor: accountId, action: "device.withdraw", subject: id, detail: { name }, accountId }, at);
}

/**
 * Returns whether a device may go on with its copies, for a device whose session may be over. An unknown device takes as long as a wrong
 * token.
 *
 * @throws DomainError `pocket_not_found`; `rate_limit_exceeded` after too many wrong ones.
 */
export function stateOfDevice(
  { db, now }: Pick<Deps, "db" | "now">,
  { id, token }: { id: string; token: string },
  attempts: Attempts,
): { state: "live" | "withdrawn" } {
  attempts.check();
  const proof = queries.findDeviceProof(db, id);
  const isRight = isSameBytes(sha256(token), proof?.tokenHash ?? NO_TOKEN_HASH);
  if (!proof || !isRight) {
    attempts.count();
    throw noSuchDevice();
  }
  const mayStay = proof.isAccountActive === 1 && allowedToMaker(proof, now()) !== null;
  return { state: proof.withdrawnAt === null && mayStay ? "live" : "withdrawn" };
}

/** Deletes what is needed no longer: devices whose copies were withdrawn long ago, and what says that something was sent. */
export function pruneDevices({ db, now }: Pick<Deps, "db" | "now">): void {
  queries.deleteWithdrawn(db, now() - WITHDRAWN_KEPT_DAYS * DAY_MS);
  queries.deleteSent(db, now() - SENT_KEPT_DAYS * DAY_MS);
}

function getOwn(db: Db, { accountId, personId }: SessionActor, id: string): queries.DeviceRow {
  const row = queries.findDevice(db, accountId, id);
  if (row?.personId === personId) return row;
  throw noSuchDevice();
}

const noSuchDevice = () => new DomainError("pocket_not_found", "There is no such device");
