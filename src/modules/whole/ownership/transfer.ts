import { setTimeout } from "node:timers/promises";
import { type Db, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { transferBriefs } from "../../briefs/briefs/service.ts";
import { moveArrivals } from "../../library/albums/service.ts";
import { transferLearning } from "../../library/analysis/service.ts";
import { transferActivity } from "../../library/analytics/service.ts";
import { transferTracks } from "../../library/catalog/service.ts";
import { type MergedComposer, transferComposers } from "../../library/composers/service.ts";
import { transferUndos } from "../../library/desk/service.ts";
import { transferIntakes } from "../../library/intake/service.ts";
import { transferPlaylists } from "../../library/playlists/service.ts";
import { transferRecordings } from "../../library/recordings/service.ts";
import { transferSaves } from "../../library/saves/service.ts";
import { transferTags } from "../../library/tags/service.ts";
import type { AccountRow } from "../../people/accounts/service.ts";
import { transferNotifications } from "../../people/notifications/service.ts";
import { transferSearches } from "../../search/search/service.ts";
import { transferShares } from "../../sharing/shares/service.ts";

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
 * Gives the library of an account to another one, in one transaction: everything but what opens the account (sessions,
 * keys, programs) and the records of activity (audit, usage, events). What the sound of recordings is found by
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
