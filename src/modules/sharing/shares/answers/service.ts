import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import { emit } from "../../../../kernel/events.ts";
import { newId } from "../../../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../../../kernel/paging.ts";
import { HOUR_MS } from "../../../../kernel/time.ts";
import { getOwnedTrack, type OwnedTrack } from "../../../library/catalog/service.ts";
import { tellShareAnswered } from "../../../people/notifications/service.ts";
import { findVersionAmong } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import * as queries from "./queries.ts";
import {
  type Answer,
  type AnswersQuery,
  type LinkAnswer,
  MAX_ANSWER_NOTE,
  type SettleAnswer,
  type ShareAnswer,
} from "./shapes.ts";
import { toLinkAnswer, toShareAnswer } from "./wire.ts";

type AnswerDeps = Pick<Deps, "db" | "now">;

/** What is answered through a link about a track, and which version its page played. */
type Said = { share: ShareRow; trackId: string; versionId: string; answer: Answer; note: string };

/**
 * Writes what the recipient of a link answers about a track; it replaces what they answered before. Saying the same again changes
 * nothing. The caller must have checked that the link is open, and opens the track.
 *
 * @throws DomainError `not_asked` when the link does not ask for answers; `track_not_found`, `validation_failed` for a long note.
 */
export function answerByLink(deps: AnswerDeps, { share, note, ...said }: Said): LinkAnswer {
  if (!share.askAnswer || share.recipient === null)
    throw new DomainError("not_asked", "This link does not ask for an answer");
  const text = readNote(note);
  return transact(deps.db, (tx) => {
    const track = getOwnedTrack(tx, share.ownerId, said.trackId);
    const before = queries.findAnswer(tx, share.id, track.id);
    if (before?.answer === said.answer && before.text === text) return toLinkAnswer(before);
    const row = queries.putAnswer(tx, {
      id: before?.id ?? newId("ans"),
      shareId: share.id,
      trackId: track.id,
      versionId: findVersionAmong(tx, track.id, [said.versionId]) ?? null,
      answer: said.answer,
      text,
      at: deps.now(),
      doneAt: null,
    });
    announce(tx, share, track, row);
    return toLinkAnswer(row);
  });
}

const WORDS: Readonly<Record<Answer, (what: string) => string>> = {
  interested: (what) => `The recipient of a link is interested in ${what}`,
  pass: (what) => `The recipient of a link passes on ${what}`,
  instrumental: (what) => `The recipient of a link needs an instrumental of ${what}`,
  terms: (what) => `The recipient of a link asks for the terms of ${what}`,
};

/** Leaves out the name of a link's recipient, which may be an e-mail address. Answers of an hour are told together. */
function announce(tx: Db, share: ShareRow, track: OwnedTrack, { answer, at }: queries.AnswerRow): void {
  const { id: shareId, ownerId, entity, entityId } = share;
  emit(tx, ownerId, "share.answered", { shareId, trackId: track.id, answer }, at);
  const count = queries.countSince(tx, shareId, Math.floor(at / HOUR_MS) * HOUR_MS);
  const title =
    count > 1 ? `The recipient of a link answered about ${count} tracks` : WORDS[answer](track.name);
  tellShareAnswered(tx, { accountId: ownerId, shareId, entity, entityId, title }, at);
}

function readNote(note: string): string | null {
  const text = note.replaceAll("\r\n", "\n").trim();
  if (text.length > MAX_ANSWER_NOTE)
    throw invalidField("note", "max_length", `must be at most ${MAX_ANSWER_NOTE} characters`);
  return text === "" ? null : text;
}

/**
 * Returns a page of what recipients of a library's links answered, the newest first, and how many answers are open.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listAnswers(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  { done, shareId, trackId, ...query }: AnswersQuery,
): Page<ShareAnswer> & { openCount: number } {
  const filter = { done, shareId, trackId };
  const list = JSON.stringify(["answers", ownerId, done ?? null, shareId ?? null, trackId ?? null]);
  const select = (after: Place, limit: number) => queries.listAnswers(db, ownerId, filter, after, limit);
  const { items, paging } = cutPage(query, list, select, (row) => row.at);
  return { items: items.map(toShareAnswer), paging, openCount: queries.countOpen(db, ownerId) };
}

/**
 * Says that a library is done with an answer, or that it is open again. Saying the same again changes nothing.
 *
 * @throws DomainError `answer_not_found`.
 */
export function settleAnswer(
  deps: AnswerDeps,
  ownerId: LibraryId,
  id: string,
  { done }: SettleAnswer,
): ShareAnswer {
  return transact(deps.db, (tx) => {
    const row = getListed(tx, ownerId, id);
    if (done === (row.doneAt !== null)) return toShareAnswer(row);
    queries.writeDone(tx, id, done ? deps.now() : null);
    return toShareAnswer(getListed(tx, ownerId, id));
  });
}

function getListed(db: Db, ownerId: LibraryId, id: string): queries.ListedAnswer {
  const row = queries.findListed(db, ownerId, id);
  if (row) return row;
  throw new DomainError("answer_not_found", "There is no such answer");
}
