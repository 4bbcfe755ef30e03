/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Button, Field, Notice } from "../components.tsx";
import { clock } from "../waveform.ts";
import { ListMore } from "./list-more.tsx";
import type { PlayerComment, PlayerComments, PlayerTrack } from "./model.ts";

/** The comments, newest first, and the form to add one: a line that opens, where there is a script. */
export function Comments({ tracks, comments }: { tracks: readonly PlayerTrack[]; comments: PlayerComments }) {
  const isMany = new Set(tracks.map(({ id }) => id)).size > 1;
  const isOpen = comments.draft !== undefined || comments.replyTo !== undefined;
  return (
    <section class="comments" id="comments" aria-labelledby="comments-title">
      <div class="comments-head">
        <h2 id="comments-title">Comments</h2>
        {isMany && <span class="soft needs-script" id="comment-of" />}
        <button
          type="button"
          class="button secondary needs-script"
          id="comment-open"
          aria-expanded={isOpen}
          aria-controls="comment-form"
        >
          Comment at 0:00
        </button>
      </div>
      <ol class="comment-list" id="comment-list" {...(isMany && { "data-many": "" })}>
        <CommentItems {...comments} />
      </ol>
      {comments.newestHref && (
        <p>
          <a href={comments.newestHref}>Newest comments</a>
        </p>
      )}
      <CommentForm tracks={tracks} comments={comments} isOpen={isOpen} />
    </section>
  );
}

/** Only the comments, followed by the link to older ones. */
export function CommentItems({ items, next }: Pick<PlayerComments, "items" | "next">) {
  return (
    <>
      {items.map((comment) => (
        <CommentItem key={comment.id} comment={comment} />
      ))}
      {next && <ListMore end={next}>Older comments</ListMore>}
    </>
  );
}

/** A note with what was said to it. `children`: what can be done with it. */
export function CommentItem({ comment, children }: { comment: PlayerComment; children?: ComponentChildren }) {
  const { id, replies, moreReplies, replyHref, answered, gone } = comment;
  return (
    <li class="comment" id={id}>
      <CommentHead comment={comment} />
      <CommentText comment={comment} />
      {gone && <p class="soft">{gone}</p>}
      {answered && <p class="comment-answered">{answered}</p>}
      {replies.length > 0 && (
        <ol class="replies" aria-label="Replies">
          {replies.map((reply) => (
            <li key={reply.id} class="comment" id={reply.id}>
              <CommentHead comment={reply} />
              <CommentText comment={reply} />
            </li>
          ))}
        </ol>
      )}
      {moreReplies && (
        <a class="comment-reply" href={moreReplies.href}>
          {moreReplies.count} more {moreReplies.count === 1 ? "reply" : "replies"}
        </a>
      )}
      {children}
      {replyHref && (
        <a class="comment-reply" href={replyHref}>
          Reply
        </a>
      )}
    </li>
  );
}

function CommentHead({ comment }: { comment: PlayerComment }) {
  const { name, date, title, hasOthers, versionLabel, parentId, isDeleted } = comment;
  return (
    <p class="comment-head">
      <strong class="comment-name">{name}</strong>
      {!isDeleted && <CommentPlace comment={comment} />}
      {title && <span class="soft">{title}</span>}
      {parentId === null && hasOthers && versionLabel && <span class="comment-version">{versionLabel}</span>}
      <span class="comment-date">{date}</span>
    </p>
  );
}

/** Where the note is in the version that plays, or was in the one that was heard. */
function CommentPlace({ comment }: { comment: PlayerComment }) {
  const { trackId, positionSec, endSec, place, versionLabel } = comment;
  if (positionSec === null) return null;
  if (place && place.positionSec === null) return <span class="soft">{span(positionSec, endSec)}</span>;
  // Where nothing says which version was heard, the time is the one that was written.
  const isGuess = place?.how === "about" && versionLabel !== null;
  const [at, until] = place ? [place.positionSec ?? 0, place.endSec] : [positionSec, endSec];
  return (
    <button type="button" class="comment-at" data-at={at} data-of={trackId}>
      <span class="sr-only">Play from </span>
      {isGuess && "About "}
      {span(at, until)}
    </button>
  );
}

const CommentText = ({ comment: { text, isDeleted } }: { comment: PlayerComment }) => (
  <p class={isDeleted ? "comment-text soft" : "comment-text"}>{isDeleted ? "Deleted" : text}</p>
);

/** `0:42`, or of a range `0:42–0:51`. */
const span = (fromSec: number, toSec: number | null) =>
  toSec === null ? clock(fromSec) : `${clock(fromSec)}–${clock(toSec)}`;

function CommentForm({
  tracks,
  comments: { action, longest, proof, error, draft, name, replyTo },
  isOpen,
}: {
  tracks: readonly PlayerTrack[];
  comments: PlayerComments;
  isOpen: boolean;
}) {
  const unique = [...new Map(tracks.map((track) => [track.id, track])).values()];
  return (
    <form
      class={`comment-form${isOpen ? "" : " folded"}${replyTo ? " replying" : ""}`}
      method="post"
      action={action}
      id="comment-form"
    >
      {error && <Notice kind="error">{error}.</Notice>}
      <p id="comment-reply-to">{replyTo?.words}</p>
      <input type="hidden" name="parent" value={replyTo?.id ?? ""} />
      <input type="hidden" name="e" value={proof.e} />
      <input type="hidden" name="s" value={proof.s} />
      {/* Which version plays of each track, so that the comment names the one that was heard. */}
      {unique.map(({ id, versionId }) => {
        const heard = (id === draft?.trackId && draft.versionId) || versionId;
        return <input key={id} type="hidden" name="version" value={heard} />;
      })}
      {/* Invisible, so people leave it empty and bots fill it in. */}
      <input class="sr-only" name="website" tabIndex={-1} autocomplete="off" aria-hidden="true" />
      <div class="comment-fields">
        <Field
          label="Your name"
          name="name"
          autocomplete="name"
          required
          maxLength={longest.name}
          value={draft?.name ?? name}
        />
        {unique.length > 1 ? (
          <div class="field">
            <label for="field-track">Track</label>
            <select name="track" id="field-track">
              {unique.map(({ id, title }) => (
                <option key={id} value={id} selected={id === (draft?.trackId ?? replyTo?.trackId)}>
                  {title}
                </option>
              ))}
            </select>
          </div>
        ) : (
          <input type="hidden" name="track" value={unique[0]?.id} />
        )}
        {/* A reply is where its note is. */}
        <div class="comment-times">
          <TimeField label="Time, such as 1:23" name="at" value={draft?.at} />
          <TimeField label="Until" name="end" value={draft?.end} />
        </div>
      </div>
      <Field label="Comment" name="text" rows={3} required maxLength={longest.text} value={draft?.text} />
      <p class="comment-deeds">
        <Button>Send comment</Button>
        <span class="needs-script">
          <Button kind="quiet" type="button" id="comment-cancel">
            Cancel
          </Button>
        </span>
      </p>
      <p class="field-error" id="comment-error" role="alert" />
    </form>
  );
}

const TimeField = (field: { label: string; name: string; value: string | undefined }) => (
  <Field autocomplete="off" maxLength={12} {...field} />
);
