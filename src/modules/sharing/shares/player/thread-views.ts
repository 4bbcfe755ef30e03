import { dayOf } from "../../../../kernel/dates.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { decodeCursor, encodeCursor } from "../../../../kernel/paging.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import type { PlayerComment, PlayerComments } from "../../../../pages/player/model.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { findLinkNote, listLinkThread, type ShownComment, type ThreadNote } from "../../comments/service.ts";
import { MAX_COMMENT, MAX_VISITOR_NAME } from "../../comments/shapes.ts";
import { proofOf } from "../access/proofs.ts";
import { nameOf } from "../mails/recipient.ts";
import { selectTitles } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { fitting, htmlBytes } from "./page-budget.ts";
import type { MusicSource } from "./player-data.ts";

/** How many notes a page shows, or fewer long ones. */
const MAX_NOTES = 200;
const MAX_NOTES_BYTES = 60_000;
/** How many replies it shows to each, or fewer long ones. */
const MAX_REPLIES = 30;
const MAX_REPLIES_BYTES = 24_000;
/** Bytes of a note or a reply without its texts. */
const NOTE_BYTES = 750;
const REPLY_BYTES = 350;

/** The parts of its lists that a page shows: cursors, or null for the beginning. */
export type PageParts = {
  after: string | null;
  before: string | null;
  /** The note that the form replies to. */
  reply: string | null;
  /** The only note to show, and from which of its replies on. */
  note: string | null;
  from: number;
  /** The note that its writer has just said to be right. */
  right: string | null;
};

/** Returns the parts that an address requests. */
export function partsOf({ url }: Request): PageParts {
  const { searchParams } = new URL(url);
  const from = Number(searchParams.get("from") ?? 0);
  return {
    after: searchParams.get("after"),
    before: searchParams.get("before"),
    reply: searchParams.get("reply"),
    note: searchParams.get("note"),
    right: searchParams.get("right"),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
  };
}

/** Returns an address of a link's page, with the parts that are not at their beginning. */
export function pageHref(
  { settings }: Pick<Deps, "settings">,
  { pagePath }: Pick<MusicSource, "pagePath">,
  parts: Partial<PageParts>,
  anchor = "",
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, String(value));
  return `${pageRootOf(settings)}${pagePath}${query.size > 0 ? `?${query}` : ""}${anchor}`;
}

/** Returns everything about a link's comments. `without`: the notes that are shown elsewhere on the page. */
export function commentsOf(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  parts: PageParts,
  without: readonly string[],
): PlayerComments {
  const { after, before, note, reply } = parts;
  const isPart = before !== null || note !== null;
  const replyTo = reply === null ? undefined : findLinkNote(deps, share, reply);
  return {
    ...commentList(deps, share, source, parts, without),
    action: `${pageHref(deps, { pagePath: `${source.pagePath}/comments` }, { after })}`,
    newestHref: isPart ? pageHref(deps, source, { after }, "#comments") : undefined,
    longest: { text: MAX_COMMENT, name: MAX_VISITOR_NAME },
    proof: proofOf(deps, share, "comment"),
    name: nameOf(share.recipient).slice(0, MAX_VISITOR_NAME),
    replyTo: replyTo && {
      id: replyTo.id,
      trackId: replyTo.trackId,
      words: `Reply to ${replyTo.author.name}`,
    },
  };
}

/** Returns a part of a link's comments. @throws DomainError `validation_failed` for a wrong cursor. */
export function commentList(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  { after, before, note, from }: PageParts,
  without: readonly string[],
): Pick<PlayerComments, "items" | "next"> {
  const list = `comments of ${share.id}`;
  const place = before === null ? undefined : decodeCursor(before, list);
  const only = note === null ? undefined : findLinkNote(deps, share, note);
  const found = only
    ? [only]
    : listLinkThread(deps, share, {
        limit: MAX_NOTES + 1,
        after: place && { at: Number(place.key), id: place.id },
        without,
      });
  const comments = toPlayerNotes(deps, share, source, { notes: found, after, from });
  const shown = fitting(comments.slice(0, MAX_NOTES), MAX_NOTES_BYTES, noteBytes);
  const last = shown.length < found.length ? found[shown.length - 1] : undefined;
  const cursor = last && encodeCursor(Date.parse(last.createdAt), last.id, list);
  return {
    items: shown,
    next:
      cursor === undefined
        ? undefined
        : {
            pageHref: pageHref(deps, source, { after, before: cursor }, "#comments"),
            listHref: `${pageHref(deps, source, {})}/comments?before=${cursor}&${source.prove("read", "")}`,
          },
  };
}

/** The notes to show, and the parts of the page that they and their links need. */
type Shown = { notes: readonly ThreadNote[] } & Pick<PageParts, "after"> &
  Partial<Pick<PageParts, "from" | "right">>;

/** Returns notes with what was said to them, as pages show them. */
export function toPlayerNotes(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  { notes, after, from = 0, right }: Shown,
): PlayerComment[] {
  const isMany = share.entity === "playlist" || share.wholeFamily;
  const titles = isMany ? titlesOf(deps, notes) : undefined;
  return notes.map((note) => {
    const all = note.replies.slice(from).map((reply) => toPlayerComment(reply));
    const replies = fitting(all.slice(0, MAX_REPLIES), MAX_REPLIES_BYTES, replyBytes);
    const next = from + replies.length;
    return {
      ...toPlayerComment(note),
      title: titles?.get(note.trackId),
      answered: answeredWords(note, note.id === right),
      gone: note.place?.how === "gone" ? `Not in ${note.playing.label}: this part was cut` : null,
      replies,
      moreReplies:
        next < note.replies.length
          ? {
              count: note.replies.length - next,
              href: pageHref(deps, source, { after, note: note.id, from: next }, "#comments"),
            }
          : undefined,
      replyHref:
        note.deletedAt === null && share.allowComments
          ? pageHref(deps, source, { after, reply: note.id }, "#comment-form")
          : undefined,
    };
  });
}

/**
 * `Answered in v8`; null while it is open. Who says that an answer of the library is right changes nothing, and reads that it was
 * understood.
 */
function answeredWords(note: ThreadNote, isSaidRight: boolean): string | null {
  const { isAnswered, isAnsweredNow, answeredBy, playing } = note;
  if (!isAnswered) return null;
  if (answeredBy?.id === null) return "You said that this is right";
  const words = isAnsweredNow ? `Answered in ${playing.label}` : "Answered";
  return isSaidRight ? `${words}, and you said that it is right` : words;
}

function titlesOf({ db }: Deps, comments: readonly ThreadNote[]): Map<string, string> {
  const ids = comments.map(({ trackId }) => trackId);
  return new Map(selectTitles(db, ids).map((track) => [track.id, titleOf(track)]));
}

const replyBytes = ({ text, name }: PlayerComment) => REPLY_BYTES + htmlBytes(text) + htmlBytes(name);

/** Returns the most bytes that a note takes in a page. */
export const noteBytes = (note: PlayerComment): number =>
  NOTE_BYTES +
  [note.text, note.name, note.title, note.versionLabel, note.gone, note.answered]
    .map(htmlBytes)
    .reduce((sum, bytes) => sum + bytes, 0) +
  note.replies.map(replyBytes).reduce((sum, bytes) => sum + bytes, 0);

/** Returns a comment, as pages show it, without what was said to it. */
export function toPlayerComment({
  author,
  createdAt,
  deletedAt,
  place,
  ...comment
}: ShownComment): PlayerComment {
  const { id, trackId, text, positionSec, endSec, parentId, versionId, versionLabel, hasOthers } = comment;
  return {
    id,
    trackId,
    name: author.name,
    text,
    isDeleted: deletedAt !== null,
    positionSec,
    endSec,
    place: place ?? null,
    parentId,
    answered: null,
    gone: null,
    date: dayOf(Date.parse(createdAt)),
    versionId,
    versionLabel,
    hasOthers,
    replies: [],
  };
}
