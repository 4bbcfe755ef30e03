import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { can } from "../../api/library.ts";
import { changed, optimisticallyAll, queryClient } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";
import { account } from "../../first-data.ts";
import { clock as timeOf } from "../../player/time.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { counted, grouped } from "../../ui/numbers.ts";
import { toast } from "../../ui/toast.tsx";
import { createUndos } from "../../ui/undos.ts";
import { labelOf } from "./names.ts";
import { isOpen, nameOf } from "./note-words.ts";
import type { Comment, Round, Version } from "./queries.ts";

type Answer = { data: Comment[] };
type Patch = (notes: Comment[], isFirstPage: boolean) => Comment[];

/** Answers and places of this visit. */
export const undos = createUndos();

const at = (id: string) => ({ params: { path: { id } } });
const toTrack = (trackId: string) => ({ params: { path: { trackId } } });

/** Changes what shows of a track's notes, in lists and rounds, until the server has the change. */
function showing<Result>(trackId: string, patch: Patch, make: () => Promise<Result>): Promise<Result> {
  const isTheirs = (url: string) => isList(trackId, url) || isRound(trackId, url);
  const made = optimisticallyAll<Answer | { data: Round }, Result>(
    isTheirs,
    (answer) =>
      "notes" in answer.data
        ? { ...answer, data: patchedRound(answer.data, patch) }
        : { ...answer, data: patch(answer.data, "paging" in answer) },
    make,
  );
  return made.finally(() => changed("comments", [trackId]));
}

const isList = (trackId: string, url: string) =>
  url.startsWith(`/app/tracks/${trackId}/comments?`) && !url.includes("parentId=");
const isRound = (trackId: string, url: string) =>
  url.startsWith(`/app/tracks/${trackId}/versions/`) && url.endsWith("/round");

/** A round may have more notes than came with it: only those that are there are counted anew. */
function patchedRound(round: Round, patch: Patch): Round {
  const before = round.notes.filter(isOpen).length;
  const notes = patch(round.notes, false);
  const open = notes.filter(isOpen).length;
  const answered = round.answered + (notes.length - open) - (round.notes.length - before);
  return { ...round, notes, open: round.open + open - before, answered };
}

/** What a new note says. */
type Said = { text: string; positionSec: number; endSec?: number | undefined; heard: Version | undefined };

/** Adds a note. @throws ApiError */
export async function sendNote(trackId: string, { text, positionSec, endSec, heard }: Said): Promise<void> {
  const body = {
    text,
    positionSec,
    ...(endSec !== undefined && { endSec }),
    ...(heard && { versionId: heard.id }),
  };
  const shown = {
    ...said(trackId, text),
    positionSec,
    endSec: endSec ?? null,
    versionId: heard?.id ?? null,
    versionLabel: heard ? labelOf(heard) : null,
  };
  await showing(
    trackId,
    (notes, isFirstPage) => (isFirstPage ? [shown, ...notes] : notes),
    () => dataOf(api.POST("/app/tracks/{trackId}/comments", { ...toTrack(trackId), body })),
  );
}

/** A comment as it shows until the server has it. */
const said = (trackId: string, text: string): Comment => ({
  id: "new",
  trackId,
  text,
  positionSec: null,
  endSec: null,
  author: { id: account.id, name: account.name },
  createdAt: new Date().toISOString(),
  versionId: null,
  versionLabel: null,
  parentId: null,
  ...OPEN,
  replyCount: 0,
  shareId: null,
  deletedAt: null,
});

const OPEN = { answeredAt: null, answeredBy: null, answeredIn: null };

/** Replies to a note. @throws ApiError */
export async function sendReply({ trackId, id }: Comment, text: string): Promise<void> {
  const reply = { ...said(trackId, text), parentId: id };
  await withReplies(
    { trackId, id, by: 1 },
    (replies) => [...replies, reply],
    () =>
      dataOf(
        api.POST("/app/tracks/{trackId}/comments", { ...toTrack(trackId), body: { text, parentId: id } }),
      ),
  );
}

/** Deletes a reply. */
export async function removeReply({ id, trackId, parentId }: Comment): Promise<void> {
  await withReplies(
    { trackId, id: parentId ?? "", by: -1 },
    (replies) => replies.filter((reply) => reply.id !== id),
    () => dataOf(api.DELETE("/app/comments/{id}", at(id))),
  );
}

/** Changes what shows of the replies to a note, which are so many more then. */
function withReplies<Result>(
  { trackId, id, by }: { trackId: string; id: string; by: number },
  patch: (replies: Comment[]) => Comment[],
  make: () => Promise<Result>,
): Promise<Result> {
  const isTheirs = (url: string) =>
    url.startsWith(`/app/tracks/${trackId}/comments?`) && url.includes(`parentId=${id}`);
  return showing(
    trackId,
    (notes) => notes.map((note) => (note.id === id ? { ...note, replyCount: note.replyCount + by } : note)),
    () =>
      optimisticallyAll<Answer, Result>(
        isTheirs,
        (answer) => ({ ...answer, data: patch(answer.data) }),
        make,
      ),
  );
}

/** Marks a note answered in the version that is heard, or opens it again, with a way back. */
export async function setAnswered(note: Comment, answered: boolean, versionId: string): Promise<void> {
  const made = write(note, answered, versionId);
  const withdraw = undos.toast(`${answered ? "Answered" : "Reopened"}: ${nameOf(note)}`, async () => {
    if (changedSince(await made)) throw new ApiError(409, "changed_since", CHANGED_SINCE);
    await write(note, !answered, note.answeredIn ?? versionId);
  });
  try {
    const { answeredBy } = await made;
    if (!answeredBy || answeredBy.id === account.id) return;
    withdraw();
    toast(`${answeredBy.name} had answered it already`);
  } catch (thrown) {
    withdraw();
    throw thrown;
  }
}

const CHANGED_SINCE = "Somebody has changed this note since, so it stays as it is";

/** True when a note that shows was answered or opened again by somebody else since. */
function changedSince({ id, trackId, answeredBy }: Comment): boolean {
  const queries = queryClient.getQueriesData<Answer | { data: Round }>({
    predicate: ({ queryKey: [url] }) => isList(trackId, String(url)) || isRound(trackId, String(url)),
  });
  return queries
    .flatMap(([, answer]) => (!answer ? [] : "notes" in answer.data ? answer.data.notes : answer.data))
    .some((note) => note.id === id && note.answeredBy?.id !== answeredBy?.id);
}

async function write({ id, trackId }: Comment, answered: boolean, versionId: string): Promise<Comment> {
  const by = { id: account.id, name: account.name };
  const answer = { answeredAt: new Date().toISOString(), answeredBy: by, answeredIn: versionId };
  return await showing(
    trackId,
    (notes) => notes.map((note) => (note.id === id ? { ...note, ...(answered ? answer : OPEN) } : note)),
    () =>
      dataOf(
        api.PATCH("/app/comments/{id}", { ...at(id), body: { answered, ...(answered && { versionId }) } }),
      ),
  );
}

/** Marks notes answered in a version, in one step that can be taken back. */
export async function answerAll(trackId: string, answered: Body<typeof ANSWER_ALL>): Promise<void> {
  try {
    const made = await dataOf(
      api.POST("/app/tracks/{trackId}/comments/answered", { ...toTrack(trackId), body: answered }),
    );
    const { answered: count, undoId } = made;
    const said = `${counted(count, "note")} marked answered`;
    if (undoId === null) toast(said);
    else undos.toast(said, () => takeBackAll(trackId, undoId, count));
  } finally {
    changed("comments", [trackId]);
  }
}

const ANSWER_ALL = "POST /app/tracks/{trackId}/comments/answered";

async function takeBackAll(trackId: string, undoId: string, count: number): Promise<void> {
  try {
    const { undone } = await dataOf(api.POST("/app/undo/{undoId}", { params: { path: { undoId } } }));
    if (undone < count) toast(`${undone} of ${count} notes are open again. Others were changed since.`);
  } finally {
    changed("comments", [trackId]);
  }
}

/** Places a note by hand in a version, with a way back where it had a place. A range stays as long as it is. */
export async function placeNote(note: Comment, versionId: string, positionSec: number): Promise<void> {
  const before = note.place;
  await place(note, versionId, { positionSec });
  const said = `Placed at ${timeOf(positionSec)}`;
  if (!before || before.positionSec === null) toast(said);
  else undos.toast(said, () => place(note, versionId, before));
}

type Place = { positionSec: number | null; endSec?: number | null };

async function place(note: Comment, versionId: string, { positionSec, endSec }: Place): Promise<void> {
  if (positionSec === null) return;
  const { id, trackId } = note;
  const lengthSec = (note.endSec ?? 0) - (note.positionSec ?? 0);
  const usual = note.endSec === null ? null : positionSec + lengthSec;
  const placed = { positionSec, endSec: endSec === undefined ? usual : endSec, how: "placed" as const };
  const body = { place: { versionId, positionSec, ...(endSec !== undefined && { endSec }) } };
  await showing(
    trackId,
    (notes) => notes.map((each) => (each.id === id ? { ...each, place: placed } : each)),
    () => dataOf(api.PATCH("/app/comments/{id}", { ...at(id), body })),
  );
}

/** Deletes a note. One that was replied to goes with its replies, or leaves a place for them. */
export async function removeNote(note: Comment): Promise<void> {
  const { id, trackId, replyCount } = note;
  const goesWhole = can("delete:comments");
  if (replyCount > 0 && goesWhole) {
    const replies = replyCount === 1 ? "its reply" : `its ${grouped(replyCount)} replies`;
    const question = `Delete the comment and ${replies} for good?`;
    if (!(await confirmFinal(question, "Delete", "This cannot be undone."))) return;
  }
  const stays = replyCount > 0 && !goesWhole;
  const deleted = { text: "", deletedAt: new Date().toISOString() };
  await showing(
    trackId,
    (notes) => notes.flatMap((each) => (each.id !== id ? [each] : stays ? [{ ...each, ...deleted }] : [])),
    () => dataOf(api.DELETE("/app/comments/{id}", at(id))),
  );
}

/** True when the person may say of a note that it is answered, or where it is: its author, and who may change the track. */
export const mayAnswer = (note: Comment): boolean =>
  can("create:comments") && (note.author.id === account.id || can("update:tracks"));

/** True when the person may delete a comment. */
export const mayDelete = ({ author, deletedAt }: Comment): boolean =>
  can("delete:comments") || (author.id === account.id && deletedAt === null && can("create:comments"));
