/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_COMMENT } from "../../../../../modules/sharing/comments/shapes.ts";
import { can } from "../../../api/library.ts";
import { href } from "../../../first-data.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { attempt } from "../../../ui/toast.tsx";
import type { Review } from "../queries.ts";
import type { Desk } from "./desk.ts";
import { ownOf, say, takeBack, wordsOf } from "./verdict.ts";

/** Who has said what of the version, and what the person says. */
export function Verdicts({ desk }: { desk: Desk }) {
  const { label, reviews } = desk.round;
  const isAsking = useSignal(false);
  const own = ownOf(reviews);
  const close = () => {
    isAsking.value = false;
  };
  return (
    <div class="verdicts">
      {reviews.length > 0 && (
        <ul class="verdict-list" aria-label={`What was said of ${label}`}>
          {reviews.map((review) => (
            <Verdict key={review.id} review={review} label={label} />
          ))}
        </ul>
      )}
      {can("create:comments") && (
        <div class="buttons">
          {own?.state !== "approved" && (
            <Button look="secondary" icon="check" run={() => say(desk, { state: "approved", text: null })}>
              Approve {label}
            </Button>
          )}
          <Button
            look="secondary"
            aria-expanded={isAsking.value}
            run={() => {
              isAsking.value = !isAsking.peek();
            }}
          >
            Ask for changes
          </Button>
          {own && (
            <Button look="quiet" run={() => takeBack(desk)}>
              Take back
            </Button>
          )}
        </div>
      )}
      {isAsking.value && <AskForChanges desk={desk} onClose={close} />}
    </div>
  );
}

function Verdict({ review, label }: { review: Review; label: string }) {
  const { shareId, state, text } = review;
  const words = wordsOf(review, label);
  return (
    <li class={`verdict verdict-${state}`}>
      {shareId !== null && can("read:shares") ? (
        <a href={href(`/library/links/${shareId}`)}>{words}</a>
      ) : (
        words
      )}
      {text && <q class="verdict-text">{text}</q>}
    </li>
  );
}

function AskForChanges({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const text = useSignal("");
  const send = async () => {
    await say(desk, { state: "changes", text: text.peek() });
    onClose();
  };
  return (
    <form
      class="reply-line"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(send);
      }}
    >
      <Field
        label="What should change (optional)"
        isLabelHidden
        placeholder="What should change (optional)"
        maxLength={MAX_COMMENT}
        autocomplete="off"
        autofocus
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      />
      <Button look="quiet small" run={onClose}>
        Cancel
      </Button>
      <button type="submit" class="button small">
        Send
      </button>
    </form>
  );
}
