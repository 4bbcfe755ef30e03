/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, Field, Notice } from "../components.tsx";
import { clock } from "../waveform.ts";
import type { PlayerComment, PlayerComments, PlayerTrack } from "./model.ts";
import { ListMore } from "./tracks.tsx";

/** The comments, newest first, and the form to add one: a line that opens, where there is a script. */
export function Comments({ tracks, comments }: { tracks: readonly PlayerTrack[]; comments: PlayerComments }) {
  const isMany = new Set(tracks.map(({ id }) => id)).size > 1;
  const isOpen = comments.draft !== undefined;
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

function CommentItem({ comment }: { comment: PlayerComment }) {
  const { positionSec, trackId, name, text, date, title, hasOthers, versionLabel } = comment;
  return (
    <li class="comment">
      <p class="comment-head">
        <strong class="comment-name">{name}</strong>
        {positionSec !== null && (
          <button type="button" class="comment-at" data-at={positionSec} data-of={trackId}>
            <span class="sr-only">Play from </span>
            {clock(positionSec)}
          </button>
        )}
        {title && <span class="soft">{title}</span>}
        {hasOthers && versionLabel && <span class="comment-version">{versionLabel}</span>}
        <span class="comment-date">{date}</span>
      </p>
      <p class="comment-text">{text}</p>
    </li>
  );
}

function CommentForm({
  tracks,
  comments: { action, longest, proof, error, draft },
  isOpen,
}: {
  tracks: readonly PlayerTrack[];
  comments: PlayerComments;
  isOpen: boolean;
}) {
  const unique = [...new Map(tracks.map((track) => [track.id, track])).values()];
  return (
    <form
      class={isOpen ? "comment-form" : "comment-form folded"}
      method="post"
      action={action}
      id="comment-form"
    >
      {error && <Notice kind="error">{error}.</Notice>}
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
          value={draft?.name}
        />
        {unique.length > 1 ? (
          <div class="field">
            <label for="field-track">Track</label>
            <select name="track" id="field-track">
              {unique.map(({ id, title }) => (
                <option key={id} value={id} selected={id === draft?.trackId}>
                  {title}
                </option>
              ))}
            </select>
          </div>
        ) : (
          <input type="hidden" name="track" value={unique[0]?.id} />
        )}
        <Field label="Time, such as 1:23" name="at" autocomplete="off" maxLength={12} value={draft?.at} />
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
