import { transact } from "../../../../db/client.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { digestLetter } from "../../mail/letters/service.ts";
import {
  composeLetter,
  isStopped,
  isWaiting,
  loadLook,
  type MailLook,
  writeMail,
} from "../../mail/outbox/service.ts";
import { findPresent, type Present } from "../../people/people/service.ts";
import { listNews, type News, placeIn } from "./news.ts";
import { periodOf } from "./periods.ts";
import * as queries from "./queries.ts";
import { DIGEST_HOURS } from "./shapes.ts";
import { offeredTo } from "./wishes.ts";

type DigestDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets">;

/**
 * Writes a mail to each member whose hour, day or week is over and who has something to hear. What cannot be written is tried again
 * when this is called again.
 */
export async function writeDigests(deps: DigestDeps): Promise<void> {
  for (const wish of queries.listWishes(deps.db)) {
    if (!isDue(wish, deps.now())) continue;
    try {
      await writeDigest(deps, wish);
    } catch (error) {
      deps.log("error", "A digest could not be written; the next hour tries again", { error });
    }
  }
}

const isDue = ({ every, sentUntil }: queries.WishRow, at: number) =>
  periodOf(every, sentUntil) < periodOf(every, at);

async function writeDigest(deps: DigestDeps, { accountId, personId }: queries.WishRow): Promise<void> {
  const look = await loadLook(deps, accountId); // read from the disk, so before the transaction
  transact(deps.db, (tx) => {
    const at = deps.now();
    const wish = queries.findWish(tx, { accountId, personId });
    const who = findPresent(tx, { accountId, personId }, at);
    // A disabled library hears of everything when it is open again.
    if (!wish || !who || !isDue(wish, at)) return;
    const stop = { email: who.email, accountId };
    // Nobody gets many at once after the relay was away for days.
    if (isWaiting(tx, { kind: "digest", ...stop })) return;
    const news = isStopped(tx, stop) ? NOTHING : newsFor(within(deps, tx), who, wish, at);
    queries.putWish(tx, { ...wish, sentUntil: at });
    if (news.rows.length > 0) writeLetter(within(deps, tx), who, wish, { look, news, at });
  });
}

const NOTHING: News = { rows: [], more: 0 };

function newsFor(deps: DigestDeps, who: Present, wish: queries.WishRow, at: number): News {
  const kinds = offeredTo(who).filter((kind) => wish.kinds.includes(kind));
  // Somebody who left and came back hears of what came after that.
  const from = Math.max(wish.sentUntil, who.joinedAt);
  return listNews(deps, who, kinds, { from, until: at });
}

function writeLetter(
  deps: DigestDeps,
  who: Present,
  { every }: queries.WishRow,
  { look, news, at }: { look: MailLook; news: News; at: number },
): void {
  const { accountId, personId, email, name } = who;
  const letter = digestLetter({
    library: look.library,
    ...news,
    href: placeIn(deps, who, "/library"),
    settingsHref: placeIn(deps, who, "/library/settings/mail"),
  });
  const about = { accountId, kind: "digest" as const, to: { email, name } };
  writeMail(deps, {
    ...about,
    dedupe: `digest ${personId} ${accountId} ${every} ${periodOf(every, at)}`,
    ...composeLetter(deps, look, { ...about, ...letter }),
    expiresAt: at + DIGEST_HOURS * HOUR_MS,
  });
}
