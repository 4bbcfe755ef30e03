/** @jsxRuntime automatic @jsxImportSource preact */
import type { Deps } from "../../../../kernel/deps.ts";
import { AnswerItem, ApprovalRest, RowApproval, WordsOf } from "../../../../pages/player/approval.tsx";
import { CommentItem } from "../../../../pages/player/comments.tsx";
import { PitchRest } from "../../../../pages/player/pitch.tsx";
import { fragmentText } from "../../../../pages/respond.ts";
import { findLinkNote } from "../../comments/service.ts";
import { MAX_COMMENT } from "../../comments/shapes.ts";
import { answersOf } from "../player/answer-views.ts";
import { type Asked, approvalOf, type Viewer } from "../player/approval-views.ts";
import { type PitchedTracks, pitchOf } from "../player/pitch-views.ts";
import { sourceOf } from "../player/player-data.ts";
import { type PageParts, toPlayerNotes } from "../player/thread-views.ts";
import type { ShareRow } from "../queries.ts";

/** Returns a note as its link's page shows it, for the page's script. */
export function noteHtml(
  deps: Deps,
  share: ShareRow,
  id: string,
  parts: Pick<PageParts, "after"> & Partial<Pick<PageParts, "right">>,
): string {
  const source = sourceOf(deps, share);
  const { notes, answers } = share.allowReview ? answersOf(deps, share, source, parts) : NO_ANSWERS;
  const asked = notes.find((note) => note.id === id);
  if (asked)
    return fragmentText(
      <>
        <AnswerItem note={asked} longest={MAX_COMMENT} />
        <WordsOf answers={answers} />
      </>,
    );
  const note = findLinkNote(deps, share, id);
  const [comment] = toPlayerNotes(deps, share, source, { notes: note ? [note] : [], ...parts });
  return comment ? fragmentText(<CommentItem comment={comment} />) : "";
}

const NO_ANSWERS = { notes: [], answers: undefined } as const;

/** Returns what a page asks about one of its tracks, for the page's script. */
export function approvalHtml(deps: Deps, share: ShareRow, asked: Asked, viewer: Viewer): string {
  const approval = approvalOf(deps, share, sourceOf(deps, share), asked, viewer);
  const [review] = approval?.reviews.values() ?? [];
  if (!approval || !review) return "";
  return fragmentText(
    <>
      <p id="approval-words" role="status">
        {approval.words}
      </p>
      {share.entity === "track" ? (
        <ApprovalRest review={review} approval={approval} />
      ) : (
        <RowApproval review={review} approval={approval} />
      )}
    </>,
  );
}

/** Returns what a page asks about one of its tracks, or what was answered, for the page's script. */
export function pitchHtml(deps: Deps, share: ShareRow, asked: PitchedTracks, viewer: Viewer): string {
  const pitch = pitchOf(deps, share, sourceOf(deps, share), asked, viewer);
  const [track] = asked.tracks;
  if (!pitch || !track) return "";
  return fragmentText(
    <>
      <p id="pitch-words" role="status">
        {pitch.words}
      </p>
      <PitchRest trackId={track.id} pitch={pitch} />
    </>,
  );
}
