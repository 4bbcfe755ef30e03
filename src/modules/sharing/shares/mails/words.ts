import { dayInYear, momentInYear } from "../../../../kernel/dates.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { OLDEST_FIRST } from "../../../../kernel/paging.ts";
import { clockText } from "../../../../kernel/time.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { earlyLetter, linkLetter, reminderLetter, type Words } from "../../../mail/letters/service.ts";
import { publicPageUrl } from "../links.ts";
import { countTracks, findPlaylist, findTrack, type Opened, selectPlaces } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";

/** As far as a mail says it of a link. */
export type MailedLink = Pick<
  ShareRow,
  | "entity"
  | "entityId"
  | "ownerId"
  | "token"
  | "passwordHash"
  | "expiresAt"
  | "notBefore"
  | "allowReview"
  | "askAnswer"
> & {
  /** What it leads to, where that is not made yet. */
  shown?: Shown;
};

/** What a link leads to, as its page calls it, and the first tracks of a playlist. */
type Shown = { title: string; tracks: { title: string; length: string | null }[]; more: number };

/** Who writes, and what. */
type From = { library: string; by: string; message: string | null };

type WordDeps = Pick<Deps, "db" | "now" | "settings">;

/** So many tracks of a playlist are listed. */
const LISTED = 20;

/**
 * Returns what the mail says that brings a link. One that goes out before the link opens says no more than the page does then.
 *
 * @param at When the mail goes out.
 */
export function wordsOfLink(deps: WordDeps, link: MailedLink, from: From, at: number): Words {
  const { entity, token, notBefore, expiresAt, passwordHash, allowReview, askAnswer } = link;
  const href = publicPageUrl(deps, entity, token);
  const terms = {
    ...from,
    href,
    endsOn: expiresAt === null ? null : dayInYear(expiresAt, at),
    hasPassword: passwordHash !== null,
  };
  if (notBefore !== null && notBefore > at)
    return earlyLetter({ ...terms, opensOn: `${momentInYear(notBefore, at)} UTC` });
  const { title, tracks, more } = link.shown ?? shownOf(deps, link);
  return linkLetter({
    ...terms,
    title,
    tracks,
    more,
    asksForApproval: allowReview,
    asksForAnswer: askAnswer,
  });
}

/** Returns what the one reminder of a link says. */
export const wordsOfReminder = (deps: WordDeps, link: MailedLink, from: From): Words =>
  reminderLetter({
    ...from,
    title: shownOf(deps, link).title,
    href: publicPageUrl(deps, link.entity, link.token),
  });

/** What a link leads to, as its page calls it. */
function shownOf({ db }: WordDeps, { entity, entityId, ownerId }: Opened & Pick<ShareRow, "entity">): Shown {
  const opened = { entityId, ownerId };
  if (entity === "track") {
    const track = findTrack(db, opened);
    return { title: track ? titleOf(track) : "", tracks: [], more: 0 };
  }
  const places = selectPlaces(db, opened, { ...OLDEST_FIRST, id: "0" }, LISTED);
  return {
    title: findPlaylist(db, ownerId, entityId)?.name ?? "",
    tracks: places.map((track) => ({
      title: titleOf(track),
      length: track.durationSec === null ? null : clockText(track.durationSec),
    })),
    more: Math.max(0, countTracks(db, opened) - places.length),
  };
}

/** Returns what tracks show that are to be a playlist. */
export const shownAs = (title: string, titles: readonly string[]): Shown => ({
  title,
  tracks: titles.slice(0, LISTED).map((each) => ({ title: each, length: null })),
  more: Math.max(0, titles.length - LISTED),
});
