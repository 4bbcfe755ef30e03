import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { OwnedTrack, VersionRow } from "../../library/catalog/service.ts";
import { tellHourly, tellInstead } from "../../people/notifications/service.ts";
import { labelOf } from "./places.ts";
import * as queries from "./queries.ts";

/** Whose doing it was: a member's, or a visitor's through a link. */
export type Doing = { track: OwnedTrack; version: VersionRow; by: PersonId | null; shareId?: string };

/** Tells the author of a note of a reply, and the library of what a visitor replies. Nobody is told what they did themselves. */
export function tellReply(
  tx: Db,
  { authorId }: Pick<queries.CommentRow, "authorId">,
  doing: Doing,
  at: number,
): void {
  const { track, version, by, shareId } = doing;
  const told = { ...aboutTrack(track), kind: "comment.reply" as const, madeBy: by };
  if (by === null) {
    const title = `A visitor replied to a note on ${track.name}`;
    tellHourly(tx, { ...told, title, personId: null, about: [shareId ?? "", version.id] }, at);
  } else if (authorId !== null && authorId !== by) {
    const title = `A reply to your note on ${track.name}`;
    tellHourly(tx, { ...told, title, personId: personOf(authorId), about: [authorId, by, version.id] }, at);
  }
}

/** Tells the library that a visitor is not content with what answers a note. */
export function tellStillOpen(tx: Db, { track, version, by, shareId = "" }: Doing, at: number): void {
  if (by !== null) return;
  const title = `A visitor says that a note on ${track.name} is still not right`;
  const told = { ...aboutTrack(track), kind: "comment.reply" as const, madeBy: null, personId: null };
  tellInstead(tx, { ...told, title, about: [shareId, version.id] }, at);
}

/** Tells the authors of notes that these are answered, each of all in this hour. */
export function tellAnswered(
  tx: Db,
  authorIds: readonly (string | null)[],
  { track, version, by, shareId }: Doing,
  at: number,
): void {
  const since = Math.floor(at / HOUR_MS) * HOUR_MS;
  for (const authorId of new Set(authorIds)) {
    if (authorId === null || authorId === by) continue;
    const count = queries.countAnswered(tx, {
      trackId: track.id,
      authorId,
      versionId: version.id,
      by,
      since,
    });
    const which =
      count === 1 ? `Your note on ${track.name} was` : `${count} of your notes on ${track.name} were`;
    const title = `${which} answered in ${labelOf(version)}`;
    const about = [authorId, by ?? shareId ?? "", version.id];
    const told = {
      ...aboutTrack(track),
      kind: "comment.answered" as const,
      madeBy: by,
      personId: personOf(authorId),
    };
    tellInstead(tx, { ...told, title, about }, at);
  }
}

const aboutTrack = ({ id, ownerId }: OwnedTrack) => ({ accountId: ownerId, trackId: id });

/** An author who is somebody is a person. */
const personOf = (authorId: string) => authorId as PersonId;
