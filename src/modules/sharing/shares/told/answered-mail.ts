import { transact } from "../../../../../db/client.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import { type Deps, within } from "../../../../kernel/deps.ts";
import { sha256 } from "../../../../kernel/secrets.ts";
import { DAY_MS } from "../../../../kernel/time.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { type AnsweredTrack, answeredLetter } from "../../../mail/letters/service.ts";
import {
  composeLetter,
  isStopped,
  lastAbout,
  loadLook,
  type MailLook,
  writeMail,
} from "../../../mail/outbox/service.ts";
import { answersFor, tellLinkAt } from "../../comments/service.ts";
import { endOf } from "../access/visit.ts";
import { publicPageUrl } from "../links.ts";
import { nameOf } from "../mails/recipient.ts";
import { findLink, findTrack, type LinkRow, opensTrack } from "../page-queries.ts";
import { ANSWERS_WAIT_DAYS } from "../shapes.ts";

type MailDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/** Writes to the recipient of a link which of their notes are answered by what plays now: at most once a day. */
export const answeredMailHandler =
  (deps: Deps): JobHandler =>
  async ({ shareId }) => {
    const link = findLink(deps.db, String(shareId));
    if (!deps.settings.mail || !link || !isAsked(deps, link)) return;
    const at = deps.now();
    const last = lastAbout(deps.db, link.id, "answered");
    if (last !== undefined && last + DAY_MS > at) {
      transact(deps.db, (tx) => tellLinkAt(tx, link.id, last + DAY_MS, at));
      return;
    }
    const round = readRound(deps, link);
    const look = await loadLook(deps, link.ownerId);
    transact(deps.db, (tx) => {
      if (round.isWaiting) tellLinkAt(tx, link.id, at + DAY_MS, at);
      if (round.tracks.length > 0) write(within(deps, tx), link, round, look);
    });
  };

/** True for a link that opens, whose recipient is asked for approval, has an address and takes mail. */
function isAsked(deps: MailDeps, link: LinkRow): link is Addressed {
  const { allowReview, recipientEmail: email, ownerId: accountId } = link;
  return (
    allowReview &&
    email !== null &&
    endOf(deps, link) === undefined &&
    !isStopped(deps.db, { email, accountId })
  );
}

type Addressed = LinkRow & { recipientEmail: string };

/** What the recipient of a link has not heard of the notes that they made. */
type ReadRound = {
  tracks: AnsweredTrack[];
  compares: boolean;
  /** What makes this mail another one than the last. */
  news: string[];
  isWaiting: boolean;
};

function readRound(deps: MailDeps, link: LinkRow): ReadRound {
  const { db, now } = deps;
  const opened = answersFor(deps, link).filter(({ trackId }) => opensTrack(db, link, trackId));
  const told = opened.filter(({ news }) => news.length > 0);
  const lately = now() - ANSWERS_WAIT_DAYS * DAY_MS;
  return {
    tracks: told.flatMap(({ trackId, label: version, answered, notes }) => {
      const track = findTrack(db, { entityId: trackId, ownerId: link.ownerId });
      return track ? { title: titleOf(track), version, answered, notes } : [];
    }),
    compares: told.some(({ compares }) => compares),
    news: told.flatMap(({ news }) => news),
    isWaiting: opened.some(({ waitingSince }) => waitingSince !== null && waitingSince > lately),
  };
}

/** Writes the mail, unless it says what the last one said. */
function write(deps: MailDeps, link: Addressed, { tracks, compares, news }: ReadRound, look: MailLook): void {
  const { id: shareId, ownerId: accountId, entity, token, recipient, recipientEmail: email } = link;
  const href = publicPageUrl(deps, entity, token);
  const about = { accountId, kind: "answered", to: { email, name: nameOf(recipient) || null } } as const;
  const words = answeredLetter({ library: look.library, tracks, compares, href });
  const dedupe = `answered ${shareId} ${sha256(news.toSorted().join("\n")).toString("base64url")}`;
  writeMail(deps, { ...about, ...composeLetter(deps, look, { ...about, ...words }), dedupe, shareId });
}
