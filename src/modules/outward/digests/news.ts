import { mayDo } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { listUnheard, readerOf, type Unheard } from "../../people/notifications/service.ts";
import type { Present } from "../../people/people/service.ts";
import { reachOf } from "../../sharing/shares/service.ts";
import type { WishKind } from "./shapes.ts";

/** What a digest says of one thing that happened. */
export type NewsRow = { text: string; note?: string; href: string };

/** What happened, the newest first, and how many more things did. */
export type News = { rows: NewsRow[]; more: number };

/** Notifications by what they are to somebody who wants to hear of them. */
const TOLD: Readonly<Record<Exclude<WishKind, "listens">, readonly string[]>> = {
  submissions: ["brief.submission"],
  answers: ["share.answered"],
  notes: ["track.comment", "comment.reply", "comment.answered", "version.approved", "version.changes"],
};
/** What shows on the track's tab *Review*. */
const OF_ROUND: ReadonlySet<string> = new Set(TOLD.notes.filter((kind) => kind !== "track.comment"));

const MAX_ROWS = 20;
const MAX_LISTENERS = 10;

type NewsDeps = Pick<Deps, "db" | "now" | "settings">;
/** Epoch milliseconds: the first counts, the second does not. */
type When = { from: number; until: number };

/**
 * Returns what others did within a time, as far as a member may know of it, wants to hear of it and has not read it.
 *
 * @param kinds What they want to hear of, and may.
 */
export function listNews(deps: NewsDeps, who: Present, kinds: readonly WishKind[], when: When): News {
  const told = kinds.flatMap((kind) => (kind === "listens" ? [] : TOLD[kind]));
  const { items, count } = listUnheard(deps, readerOf(deps, who), told, when, MAX_ROWS);
  const listens = kinds.includes("listens") ? listListens(deps, who, when) : { rows: [], more: 0 };
  const rows = items.map((item) => ({ text: item.title, href: placeIn(deps, who, pathOf(item)) }));
  return { rows: [...rows, ...listens.rows], more: count - items.length + listens.more };
}

/** Who listened by a link, whose page only some may open. */
function listListens(deps: NewsDeps, who: Present, { from, until }: When): News {
  const span = { from, to: until - 1 };
  const { people, peopleCount, publicLinks } = reachOf(deps, who.accountId, span, MAX_LISTENERS);
  const pageOf = (shareId: string) =>
    placeIn(deps, who, mayDo(who, "read:shares") ? `/library/links/${shareId}` : "/library/insights");
  const named = people.map(({ name, plays, tracks, shareIds: [first = ""] }) => ({
    text: plays === 0 ? `${name} opened a link` : `${name} listened to ${counted(tracks, "track")}`,
    ...(plays > 1 && { note: counted(plays, "play") }),
    href: pageOf(first),
  }));
  const nameless = publicLinks
    .filter(({ plays }) => plays > 0)
    .map(({ name, plays, shareId }) => ({
      text: `${name === null ? "Something" : `“${name}”`} was played by a link for anyone`,
      note: counted(plays, "play"),
      href: pageOf(shareId),
    }));
  return { rows: [...named, ...nameless], more: peopleCount - people.length };
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Where the console shows what a notification is about. */
function pathOf({ kind, entityKey, entityId }: Unheard): string {
  if (entityKey === "track" && !TOLD.answers.includes(kind))
    return `/library/tracks/${entityId}${OF_ROUND.has(kind) ? "?tab=review" : ""}`;
  return TOLD.answers.includes(kind) ? "/library/inbox?show=answers" : "/library/inbox";
}

/** Returns where the console shows something of a library, also to somebody who has it open in another one. */
export function placeIn(
  { settings }: Pick<Deps, "settings">,
  { accountId }: Pick<Present, "accountId">,
  path: string,
): string {
  return `${publicUrlOf(settings)}${path}${path.includes("?") ? "&" : "?"}in=${accountId}`;
}
