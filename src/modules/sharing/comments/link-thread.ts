import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { labelOf, placeOf } from "./places.ts";
import type { CommentRow } from "./queries.ts";
import { type ShownComment, toShown } from "./shown.ts";
import * as queries from "./thread-queries.ts";

type ReadDeps = Pick<Deps, "db" | "now">;
/** The link on whose page a thread is shown. */
type Link = { id: string; ownerId: LibraryId };

/** A note made through a link: with its place in the version that plays, and what was said to it. */
export type ThreadNote = ShownComment & {
  /** The version that plays. */
  playing: { versionId: string; label: string };
  /** True when that version, or one before it, answers the note. */
  isAnswered: boolean;
  isAnsweredNow: boolean;
  replies: ShownComment[];
};

/** The comment after which a list, newest first, continues. */
type CommentPlace = { at: number; id: string };

/**
 * Returns at most `limit` notes made through a link, newest first, with all that was said to them. What was said elsewhere in the
 * library is not among it.
 *
 * @param without Notes that are shown elsewhere.
 */
export function listLinkThread(
  deps: ReadDeps,
  link: Link,
  {
    limit,
    after,
    without = [],
  }: { limit: number; after?: CommentPlace | undefined; without?: readonly string[] },
): ThreadNote[] {
  return toThread(deps, link, queries.listNotes(deps.db, link.id, { limit, after, without }));
}

/** Returns one note of a link's thread; undefined for one of another link. */
export function findLinkNote(deps: ReadDeps, link: Link, id: string): ThreadNote | undefined {
  return toThread(deps, link, queries.findNote(deps.db, link.id, id))[0];
}

/** The most notes of a round that a link is asked about. */
const MAX_ROUND = 500;

/**
 * Returns the notes of a link on earlier versions that the version which plays answers, or which are still open: for each track
 * by their places in it, those whose passage is gone last.
 */
export function listLinkRound(deps: ReadDeps, link: Link): ThreadNote[] {
  const notes = toThread(deps, link, queries.listRoundNotes(deps.db, link.id, MAX_ROUND));
  const byTrack = Map.groupBy(notes, ({ trackId }) => trackId);
  return [...byTrack.values()].flatMap((all) => all.toSorted((a, b) => secondOf(a) - secondOf(b)));
}

/** What the version that a track plays answers of a link's notes. */
export type LinkAnswers = {
  trackId: string;
  /** What that version is called. */
  label: string;
  notes: number;
  answered: number;
  /** Some of those that are answered were made on earlier versions. */
  compares: boolean;
  /** Those that the library marked answered, each with the version that does; the recipient knows of the others. */
  news: string[];
  /** When the last was marked answered, epoch ms, of those that a version answers which does not play yet; null: there are none. */
  waitingSince: number | null;
};

/** Returns what the versions that play answer of a link's notes, for each track that has any in its round. */
export function answersFor(deps: ReadDeps, link: Link): LinkAnswers[] {
  const notes = toThread(deps, link, queries.listRoundNotes(deps.db, link.id, MAX_ROUND, "whenever"));
  return [...Map.groupBy(notes, ({ trackId }) => trackId)].map(([trackId, all]) => {
    const answered = all.filter(({ isAnswered }) => isAnswered);
    return {
      trackId,
      label: all[0]?.playing.label ?? "",
      notes: all.length,
      answered: answered.length,
      compares: answered.some(({ versionId, playing }) => versionId !== playing.versionId),
      news: answered.flatMap(({ id, answeredBy, answeredIn }) =>
        answeredBy?.id ? `${id} ${answeredIn}` : [],
      ),
      waitingSince: all.reduce<number | null>(
        (last, { isAnswered, answeredAt }) =>
          answeredAt === null || isAnswered ? last : Math.max(last ?? 0, Date.parse(answeredAt)),
        null,
      ),
    };
  });
}

/** Notes on the whole track come first. */
function secondOf({ positionSec, place }: ThreadNote): number {
  if (positionSec === null) return -1;
  return place ? (place.positionSec ?? Number.POSITIVE_INFINITY) : positionSec;
}

/** True when notes were made on a version through a link. */
export function hasLinkNotes({ db }: Pick<Deps, "db">, shareId: string, versionId: string): boolean {
  return queries.hasNotesOn(db, shareId, versionId);
}

/** Returns what the versions are called that tracks play now, by the tracks' ids. */
export function playingLabels({ db }: Pick<Deps, "db">, trackIds: readonly string[]): Map<string, string> {
  return new Map(queries.selectPlaying(db, trackIds).map((version) => [version.trackId, labelOf(version)]));
}

/** What a track plays that is deleted meanwhile. */
const NOTHING = { versionId: "", label: "" };

function toThread(deps: ReadDeps, { ownerId }: Link, rows: readonly CommentRow[]): ThreadNote[] {
  const { db } = deps;
  const trackIds = [...new Set(rows.map(({ trackId }) => trackId))];
  const playing = new Map(queries.selectPlaying(db, trackIds).map((version) => [version.trackId, version]));
  const replyRows = queries.listRepliesTo(
    db,
    rows.filter(({ replyCount }) => replyCount > 0).map(({ id }) => id),
  );
  const replies = Map.groupBy(toShown(deps, ownerId, replyRows), ({ parentId }) => parentId);
  const orders = queries.selectOrders(
    db,
    rows.flatMap(({ resolvedIn }) => resolvedIn ?? []),
  );
  return toShown(deps, ownerId, rows).map((note, index) => {
    const [row, version] = [rows[index], playing.get(note.trackId)];
    const place = row && version && placeOf(row, version);
    const answeredIn = orders.get(note.answeredIn ?? "") ?? 0;
    return {
      ...note,
      ...(place && { place }),
      playing: version ? { versionId: version.versionId, label: labelOf(version) } : NOTHING,
      // A later version that does not play yet is nobody's business here.
      isAnswered: note.answeredAt !== null && answeredIn <= (version?.versionOrder ?? 0),
      isAnsweredNow: note.answeredIn !== null && note.answeredIn === version?.versionId,
      replies: replies.get(note.id) ?? [],
    };
  });
}
