/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_COMMENT } from "../../../../modules/sharing/comments/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import { seek } from "../../player/player.ts";
import { elapsedSec, queue, sound } from "../../player/state.ts";
import { clock } from "../../player/time.ts";
import { Button } from "../../ui/button.tsx";
import { draftOf } from "../../ui/draft.ts";
import { TextField } from "../../ui/field.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import type { Writing } from "./items.ts";

type CommentsProps = { trackId: string; writing: Signal<Writing | undefined> };

/** The comments on a track that was sent, and a new one at the moment that plays. */
export function Comments({ trackId, writing }: CommentsProps) {
  const { data } = useQuery(
    query(
      "/app/tracks/{trackId}/comments",
      { path: { trackId }, query: { limit: 200, notes: true } },
      { comments: [trackId] },
    ),
  );
  const notes = (data?.data ?? []).filter(({ deletedAt }) => deletedAt === null);
  const comments = notes.toSorted((one, other) => (one.positionSec ?? -1) - (other.positionSec ?? -1));
  return (
    <>
      {writing.value === "comment" && <NewComment trackId={trackId} writing={writing} />}
      {comments.length > 0 && (
        <ul class="inbox-comments" aria-label="Comments">
          {comments.map(({ id, author, positionSec, endSec, text, answeredAt, replyCount }) => (
            <li key={id}>
              {positionSec !== null && (
                <button
                  type="button"
                  class="comment-at"
                  aria-label={`Go to ${clock(positionSec)}`}
                  onClick={() => isLoaded(trackId) && seek(positionSec)}
                >
                  {clock(positionSec)}
                </button>
              )}
              <span>
                {endSec !== null && `–${clock(endSec)} `}
                <strong>{author.name}</strong> {text}
                <span class="soft">{furtherWords(answeredAt !== null, replyCount)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What became of a comment: its track's page has the rest. */
function furtherWords(isAnswered: boolean, replyCount: number): string {
  const replies = replyCount === 1 ? "1 reply" : replyCount > 1 && `${replyCount} replies`;
  return [isAnswered && "answered", replies]
    .filter(Boolean)
    .map((word) => ` · ${word}`)
    .join("");
}

const isLoaded = (trackId: string): boolean => queue.peek().current?.id === trackId;

function heardVersionId(trackId: string): string | undefined {
  const loaded = sound.peek();
  return loaded?.trackId === trackId ? loaded.versionId : undefined;
}

function NewComment({ trackId, writing }: CommentsProps) {
  const typed = draftOf(`comment ${trackId}`);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { value: atSec } = useSignal(isLoaded(trackId) ? Math.round(10 * elapsedSec.peek()) / 10 : 0);
  // The version that played when the comment was begun.
  const { value: versionId } = useSignal(heardVersionId(trackId));
  useEffect(() => field.current?.focus(), []);
  const leave = () => {
    writing.value = undefined;
  };
  const send = async () => {
    const text = typed.peek()?.trim();
    if (!text) return;
    leave();
    try {
      const body = { text, positionSec: atSec, ...(versionId && { versionId }) };
      const { id } = await dataOf(
        api.POST("/app/tracks/{trackId}/comments", { params: { path: { trackId } }, body }),
      );
      typed.value = undefined;
      changed("comments", [trackId]);
      const undo = () => api.DELETE("/app/comments/{id}", { params: { path: { id } } });
      toast(`Commented at ${clock(atSec)}`, {
        undo: () => undo().then(() => changed("comments", [trackId])),
      });
    } catch (thrown) {
      writing.value = "comment";
      toastError(thrown);
    }
  };
  return (
    <div class="inbox-comment-new">
      <TextField
        label={`Comment at ${clock(atSec)}`}
        maxLength={MAX_COMMENT}
        inputRef={field}
        value={typed.value ?? ""}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.isComposing || event.shiftKey || !["Enter", "Escape"].includes(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === "Enter") void send();
          else leave();
        }}
      />
      <div class="dialog-actions">
        <Button look="quiet small" title="Escape" run={leave}>
          Cancel
        </Button>
        <Button look="small" title="Enter" aria-disabled={!typed.value?.trim()} run={send}>
          Send
        </Button>
      </div>
    </div>
  );
}
