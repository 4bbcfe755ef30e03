/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MAX_COMMENT } from "../../../../modules/sharing/comments/shapes.ts";
import { useQuery } from "../../api/queries.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { draftOf } from "../../ui/draft.ts";
import { Field } from "../../ui/field.tsx";
import { toastError } from "../../ui/toast.tsx";
import { mayDelete, removeReply } from "./note-changes.ts";
import { type Comment, repliesQuery } from "./queries.ts";

/** So many show at first, of those the newest few. */
const MOST = 5;
const NEWEST = 3;

/** What was replied to a note, the oldest first. */
export function Replies({ note }: { note: Comment }) {
  const isWhole = useSignal(false);
  const { data } = useQuery(note.replyCount > 0 ? repliesQuery(note.trackId, note.id) : null);
  if (note.replyCount === 0) return null;
  // While those of a note load, the result of another one may stay.
  const all = (data?.data ?? []).filter(({ parentId }) => parentId === note.id);
  const shown = isWhole.value || all.length <= MOST ? all : all.slice(-NEWEST);
  return (
    <div class="replies">
      {shown.length < all.length && (
        <Button
          look="quiet small"
          run={() => {
            isWhole.value = true;
          }}
        >
          Show all {all.length} replies
        </Button>
      )}
      {shown.length > 0 && (
        <ul aria-label={`Replies to ${note.author.name}`}>
          {shown.map((reply) => (
            <Reply key={reply.id} reply={reply} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Reply({ reply }: { reply: Comment }) {
  const { author, createdAt, text } = reply;
  return (
    <li class="reply">
      <div>
        <p class="comment-by">
          <b>{author.name}</b>
          <time class="soft" dateTime={createdAt} title={wholeTime(createdAt)}>
            {ago(createdAt)}
          </time>
        </p>
        <p class="comment-text">{text}</p>
      </div>
      {mayDelete(reply) && reply.id !== "new" && (
        <IconButton label={`Delete reply by ${author.name}`} icon="trash" run={() => removeReply(reply)} />
      )}
    </li>
  );
}

type LineProps = { note: Comment; send: (text: string) => Promise<void>; onOpen: (isOpen: boolean) => void };

/** One line under a note. What was typed stays until it was sent. */
export function ReplyLine({ note, send, onOpen }: LineProps) {
  const typed = draftOf(`reply ${note.id}`);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // Before the browser paints: a letter may come at once.
  useLayoutEffect(() => {
    field.current?.focus();
    // In a list that scrolls, what sends it would be below what shows.
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const submit = async () => {
    const text = typed.peek()?.trim();
    if (!text) return;
    typed.value = undefined;
    onOpen(false);
    try {
      await send(text);
    } catch (thrown) {
      typed.value = text;
      onOpen(true);
      toastError(thrown);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") onOpen(false);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class="reply-line"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Reply"
        isLabelHidden
        placeholder={`Reply to ${note.author.name}`}
        maxLength={MAX_COMMENT}
        autocomplete="off"
        inputRef={field}
        value={typed.value ?? ""}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value || undefined;
        }}
        onKeyDown={onKeyDown}
      />
      <Button look="quiet small" title="Escape" run={() => onOpen(false)}>
        Cancel
      </Button>
      <button type="submit" class="button small" title="Enter" aria-disabled={!typed.value?.trim()}>
        Send
      </button>
    </form>
  );
}
