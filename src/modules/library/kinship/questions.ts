import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type PageRequest } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { getOwnedTrack, titleOf } from "../catalog/service.ts";
import { decideSign, familyOf, join } from "../families/service.ts";
import type { Place } from "./judge.ts";
import * as queries from "./queries.ts";
import {
  type AnsweredQuestion,
  type AnswerQuestion,
  type FamilyQuestion,
  KEPT_SHOWN_MS,
  type KeptTrack,
  type QuestionsQuery,
} from "./shapes.ts";

/**
 * Returns a page of what may belong together in a library, the newest first, with the number of all questions; with `trackId`, those
 * about that track.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for a cursor of another listing.
 */
export function listQuestions(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  { trackId, ...page }: QuestionsQuery,
): Page<FamilyQuestion> & { total: number } {
  const total = queries.countQuestionRows(db, ownerId);
  if (trackId !== undefined) {
    getOwnedTrack(db, ownerId, trackId);
    const items = queries.questionsOf(db, ownerId, trackId).map(toQuestion);
    return { items, paging: { limit: page.limit, next_cursor: null }, total };
  }
  const { items, paging } = cutPage(
    page,
    `family questions ${ownerId}`,
    ({ key, id }, limit) => queries.listQuestionRows(db, { ownerId, key: Number(key), id, limit }),
    ({ foundAt }) => foundAt,
  );
  return { items: items.map(toQuestion), paging, total };
}

function toQuestion(row: queries.QuestionRow): FamilyQuestion {
  const { askedId, name, title, otherName, otherTitle, offsetMs, residualDb, soundKind, foundAt } = row;
  return {
    id: askedId,
    title: titleOf({ name, title }),
    versionId: row.versionId,
    durationSec: row.durationSec,
    otherId: row.otherId,
    otherTitle: titleOf({ name: otherName, title: otherTitle }),
    otherVersionId: row.otherVersionId,
    otherDurationSec: row.otherDurationSec,
    ...placeOf(row),
    isByName: row.nameKind !== null,
    isBySound: soundKind !== null,
    sound: soundKind === null || offsetMs === null ? null : { offsetMs, residualDb },
    foundAt: toIso(foundAt),
  };
}

/** Returns what the asked track would be: what it is called, else what it sounds like. */
function placeOf(
  row: Pick<queries.QuestionRow, "nameKind" | "nameEditSec" | "namePart" | "soundKind" | "soundEditSec">,
): Place {
  const { nameKind, nameEditSec, namePart, soundKind, soundEditSec } = row;
  if (nameKind !== null) return { kind: nameKind, part: namePart, editSec: nameEditSec };
  return { kind: soundKind === "instrumental" ? "instrumental" : "main", part: null, editSec: soundEditSec };
}

type Answering = { ownerId: LibraryId; trackId: string; otherId: string; given: AnswerQuestion };

/**
 * Answers whether a track belongs to the set of another one. A *no* is remembered.
 *
 * @throws DomainError `track_not_found`; `not_found` when nothing is asked about the two; `validation_failed`, `family_full` as `join`.
 */
export function answerQuestion(
  { db, now }: Pick<Deps, "db" | "now">,
  { ownerId, trackId, otherId, given }: Answering,
): AnsweredQuestion {
  return transact(db, (tx) => {
    for (const id of [trackId, otherId]) getOwnedTrack(tx, ownerId, id);
    const question = queries
      .questionsOf(tx, ownerId, trackId)
      .find((row) => row.askedId === trackId && row.otherId === otherId);
    const at = now();
    const state = given.answer === "yes" ? "joined" : "refused";
    if (!question || !decideSign(tx, { askedId: trackId, ofId: otherId, state, at }))
      throw new DomainError("not_found", "This is not asked any more");
    if (given.answer === "yes") joinAs(tx, { ownerId, trackId, otherId, given }, placeOf(question), at);
    return { trackId, otherId, familyId: familyOf(tx, ownerId, trackId)?.id ?? null };
  });
}

function joinAs(tx: Db, { ownerId, trackId, otherId, given }: Answering, asked: Place, at: number): void {
  const kind = given.kind ?? asked.kind;
  const part = given.part ?? (kind === "stem" ? asked.part : null);
  const editSec = given.editSec === undefined ? asked.editSec : given.editSec;
  join(tx, { ownerId, trackId, withId: otherId, kind, part, editSec, joinedBy: "owner", at });
}

/**
 * Returns a page of the tracks that joined sets by themselves in the last month, the newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listKept(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  page: PageRequest,
): Page<KeptTrack> {
  const since = now() - KEPT_SHOWN_MS;
  const { items, paging } = cutPage(
    page,
    `kept ${ownerId}`,
    ({ key, id }, limit) => queries.listKeptRows(db, { ownerId, key: Number(key), id, limit, since }),
    ({ joinedAt }) => joinedAt,
  );
  return { items: items.map(toKept), paging };
}

function toKept({
  name,
  title,
  mainName,
  mainTitle,
  isHidden,
  joinedAt,
  ...row
}: queries.KeptRow): KeptTrack {
  return {
    ...row,
    title: titleOf({ name, title }),
    mainTitle: titleOf({ name: mainName, title: mainTitle }),
    hiddenFromLinks: isHidden === 1,
    joinedAt: toIso(joinedAt),
  };
}
