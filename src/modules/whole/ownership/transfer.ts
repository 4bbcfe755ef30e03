import { setTimeout } from "node:timers/promises";
import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { MergedComposer } from "../../library/composers/service.ts";
import type { AccountRow } from "../../people/accounts/service.ts";
import { endRooms } from "../../people/team/service.ts";

/** Each has 256 keys to write. */
const RECORDINGS_AT_ONCE = 10;
/** As long as SQLite lets a process sleep that waits for the lock: in a shorter pause it might not wake up. */
const PAUSE_MS = 100;

/** What went to another account. */
export type Transferred = {
  tracks: number;
  playlists: number;
  briefs: number;
  composers: number;
  merged: MergedComposer[];
};

/** Gives what a module has of an account to another one. Returns what is said of it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to say
export type Transfer = (tx: Db, from: string, to: string, at: number) => Partial<Transferred> | void;
/** The same for what takes long, of at most `limit` things. Returns how many there were. */
export type TransferSome = (tx: Db, from: string, to: string, limit: number) => number;

/** What modules transfer. */
type Transferring = { transfer?: Transfer; transferSome?: TransferSome };

/**
 * Gives the library of an account to another one, in one transaction: everything but what opens the account (sessions,
 * keys, programs), who is in it, and the records of activity (audit, usage, events). What the sound of recordings is found by
 * follows in small steps; when that is interrupted, the transfer can be repeated. Audited.
 *
 * @throws DomainError `validation_failed` for one account, or a receiver that is disabled.
 */
export async function transferAccount(
  { db, now }: Pick<Deps, "db" | "now">,
  from: AccountRow,
  to: AccountRow,
  modules: readonly Transferring[],
): Promise<Transferred> {
  if (from.id === to.id) throw refusal("An account cannot be transferred to itself");
  if (!to.active) throw refusal(`The account ${to.email} is disabled: run account enable first`);
  const transferred = transact(db, (tx) => transferRows(tx, from.id, to.id, modules, now()));
  for (const { transferSome } of modules)
    while (transferSome && transact(db, (tx) => transferSome(tx, from.id, to.id, RECORDINGS_AT_ONCE)) > 0)
      await setTimeout(PAUSE_MS);
  return transferred;
}

function transferRows(
  tx: Db,
  from: string,
  to: string,
  modules: readonly Transferring[],
  at: number,
): Transferred {
  const given: Transferred = { tracks: 0, playlists: 0, briefs: 0, composers: 0, merged: [] };
  endRooms(tx, from);
  for (const { transfer } of modules) Object.assign(given, transfer?.(tx, from, to, at));
  const { merged, ...counts } = given;
  const detail = { to, ...counts, merged: merged.length };
  audit(tx, { actor: "operator", action: "account.transfer", subject: from, detail }, at);
  return given;
}

const refusal = (sentence: string) => new DomainError("validation_failed", sentence);
