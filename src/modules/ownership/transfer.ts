import { setTimeout } from "node:timers/promises";
import { type Db, transact } from "../../../db/client.ts";
import { audit } from "../../kernel/audit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { AccountRow } from "../accounts/service.ts";
import { moveArrivals } from "../albums/service.ts";
import { transferLearning } from "../analysis/service.ts";
import { transferActivity } from "../analytics/service.ts";
import { transferBriefs } from "../briefs/service.ts";
import { transferTracks } from "../catalog/service.ts";
import { type MergedComposer, transferComposers } from "../composers/service.ts";
import { transferUndos } from "../desk/service.ts";
import { transferIntakes } from "../intake/service.ts";
import { transferNotifications } from "../notifications/service.ts";
import { transferPlaylists } from "../playlists/service.ts";
import { transferRecordings } from "../recordings/service.ts";
import { transferSaves } from "../saves/service.ts";
import { transferSearches } from "../search/service.ts";
import { transferShares } from "../shares/service.ts";
import { transferTags } from "../tags/service.ts";

/** Each has 256 keys to write. */
const RECORDINGS_AT_ONCE = 10;
/** As long as SQLite lets a process sleep that waits for the lock: in a shorter pause it might not wake up. */
const PAUSE_MS = 100;

/** What went to another account. */
type Transferred = {
  tracks: number;
  playlists: number;
  briefs: number;
  composers: number;
  merged: MergedComposer[];
};

/**
 * Gives the library of an account to another one, in one transaction: everything but what lets somebody in (sessions,
 * keys, programs) and what is a record of what was done (audit, usage, events). What the sound of recordings is found by
 * follows in small steps; when that is interrupted, the transfer can be repeated. Audited.
 *
 * @throws DomainError `validation_failed` for one account, or a receiver that is disabled.
 */
export async function transferAccount(
  { db, now }: Pick<Deps, "db" | "now">,
  from: AccountRow,
  to: AccountRow,
): Promise<Transferred> {
  if (from.id === to.id) throw refusal("An account cannot be transferred to itself");
  if (!to.active) throw refusal(`The account ${to.email} is disabled: run account enable first`);
  const transferred = transact(db, (tx) => transferRows(tx, from.id, to.id, now()));
  while (transact(db, (tx) => transferRecordings(tx, from.id, to.id, RECORDINGS_AT_ONCE)) > 0)
    await setTimeout(PAUSE_MS);
  return transferred;
}

function transferRows(tx: Db, from: string, to: string, at: number): Transferred {
  const tracks = transferTracks(tx, from, to);
  const playlists = transferPlaylists(tx, from, to);
  const briefs = transferBriefs(tx, from, to);
  const { composers, merged } = transferComposers(tx, from, to, at);
  transferTags(tx, from, to, at);
  transferLearning(tx, from, to);
  transferActivity(tx, from, to);
  for (const transfer of [
    transferShares,
    transferSaves,
    transferSearches,
    transferNotifications,
    transferUndos,
    transferIntakes,
    moveArrivals,
  ])
    transfer(tx, from, to);
  const counts = { tracks, playlists, briefs, composers };
  const detail = { to, ...counts, merged: merged.length };
  audit(tx, { actor: "operator", action: "account.transfer", subject: from, detail }, at);
  return { ...counts, merged };
}

const refusal = (sentence: string) => new DomainError("validation_failed", sentence);
