/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_COMMENT } from "../../../../modules/sharing/comments/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { changed, optimistically } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { clock as timeOf } from "../../player/time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { toastError } from "../../ui/toast.tsx";
import type { Clock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { labelOf, momentOf } from "./names.ts";
import { type Comment, commentsQuery, type Version } from "./queries.ts";

type CommentsProps = {
  trackId: string;
  versions: readonly Version[];
  comments: readonly Comment[];
  clock: Clock;
  draft: Draft;
};

/** The comments on the track, in the order of their times in it. */
export function Comments({ trackId, versions, comments, clock, draft }: CommentsProps) {
  const isWriting = useComputed(() => draft.atSec.value !== undefined).value;
  if (comments.length === 0 && !isWriting) return null;
  const inOrder = comments.toSorted(
    (one, other) =>
      (one.positionSec ?? -1) - (other.positionSec ?? -1) || one.createdAt.localeCompare(other.createdAt),
  );
  return (
    <section class="comments" aria-label="Comments on the track">
      {isWriting && <Composer trackId={trackId} versions={versions} draft={draft} />}
      {inOrder.length > 0 && (
        <ul class="comment-list" aria-label="Comments">
          {inOrder.map((comment) => (
            <CommentItem
              key={comment.id}
              comment={comment}
              isOfSeveral={versions.some(({ id }) => id !== comment.versionId)}
              clock={clock}
              draft={draft}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

type ComposerProps = Pick<CommentsProps, "trackId" | "versions" | "draft">;

function Composer({ trackId, versions, draft }: ComposerProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const at = draft.atSec.value ?? 0;
  useEffect(() => field.current?.focus(), [at]);
  const send = async () => {
    const text = draft.text.peek().trim();
    if (text === "") return;
    // A version that was deleted meanwhile gives way to the active one.
    const heard =
      versions.find(({ id }) => id === draft.versionId()) ?? versions.find(({ active }) => active);
    const shown = commentToBe({ trackId, text, positionSec: at, heard });
    draft.end();
    try {
      await optimistically(
        commentsQuery(trackId),
        (answer) => ({ ...answer, data: [shown, ...answer.data] }),
        () =>
          dataOf(
            api.POST("/app/tracks/{trackId}/comments", {
              params: { path: { trackId } },
              body: { text, positionSec: at, ...(heard && { versionId: heard.id }) },
            }),
          ),
      );
      changed("comments", [trackId]);
    } catch (thrown) {
      draft.begin(at, heard?.id);
      draft.text.value = text;
      toastError(thrown);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") draft.end();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <span class="comment-at">{timeOf(at)}</span>
      <TextField
        label="Comment"
        isLabelHidden
        placeholder="What do you hear?"
        maxLength={MAX_COMMENT}
        inputRef={field}
        value={draft.text.value}
        onInput={({ currentTarget }) => {
          draft.text.value = currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <div class="comment-actions">
        <Button look="quiet small" run={draft.end}>
          Cancel
        </Button>
        <button type="submit" class="button small" aria-disabled={draft.text.value.trim() === ""}>
          Send
        </button>
      </div>
    </form>
  );
}

type ToBe = { trackId: string; text: string; positionSec: number; heard: Version | undefined };

/** A comment as it shows until the server has it. */
const commentToBe = ({ trackId, text, positionSec, heard }: ToBe): Comment => ({
  id: "new",
  trackId,
  text,
  positionSec,
  author: { id: account.id, name: account.name },
  createdAt: new Date().toISOString(),
  versionId: heard?.id ?? null,
  versionLabel: heard ? labelOf(heard) : null,
  endSec: null,
  parentId: null,
  answeredAt: null,
  answeredBy: null,
  answeredIn: null,
  replyCount: 0,
  shareId: null,
  deletedAt: null,
});

type ItemProps = { comment: Comment; isOfSeveral: boolean; clock: Clock; draft: Draft };

function CommentItem({ comment, isOfSeveral, clock, draft }: ItemProps) {
  const { id, trackId, author, positionSec, text, createdAt, versionLabel } = comment;
  const item = useRef<HTMLLIElement>(null);
  useSignalEffect(() => {
    if (draft.opened.value !== id) return;
    item.current?.scrollIntoView({ block: "nearest" });
    item.current?.focus({ preventScroll: true });
    draft.opened.value = undefined;
  });
  const remove = async () => {
    await optimistically(
      commentsQuery(trackId),
      (answer) => ({ ...answer, data: answer.data.filter((each) => each.id !== id) }),
      () => dataOf(api.DELETE("/app/comments/{id}", { params: { path: { id } } })),
    );
  };
  return (
    <li ref={item} class="comment" tabIndex={-1}>
      {positionSec === null ? (
        <span class="comment-at soft">all</span>
      ) : (
        <button
          type="button"
          class="comment-at"
          aria-label={`Go to ${timeOf(positionSec)}`}
          onClick={() => clock.moveTo(positionSec)}
        >
          {timeOf(positionSec)}
        </button>
      )}
      <div class="comment-body">
        <p class="comment-by">
          <b>{author.name}</b>{" "}
          {isOfSeveral && versionLabel && <span class="comment-version">{versionLabel}</span>}{" "}
          <time class="soft">{momentOf(createdAt)}</time>
        </p>
        <p class="comment-text">{text}</p>
      </div>
      {(author.id === account.id || can("delete:comments")) && (
        <IconButton label={`Delete comment by ${author.name}`} icon="trash" run={remove} />
      )}
    </li>
  );
}
