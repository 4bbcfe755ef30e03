/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_COMMENT } from "../../../../modules/sharing/comments/shapes.ts";
import { clock as timeOf } from "../../player/time.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { toastError } from "../../ui/toast.tsx";
import type { Clock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { labelOf } from "./names.ts";
import { sendNote } from "./note-changes.ts";
import { spanWords } from "./note-words.ts";
import type { Version } from "./queries.ts";

type ComposerProps = { trackId: string; versions: readonly Version[]; clock: Clock; draft: Draft };

/** A comment that is being written, on a moment or a range of the version that was heard. */
export function Composer({ trackId, versions, clock, draft }: ComposerProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { atSec = 0, endSec, versionId } = draft.about.value ?? {};
  useEffect(() => field.current?.focus(), [atSec, endSec]);
  // A version that was deleted meanwhile gives way to the active one.
  const heard = versions.find(({ id }) => id === versionId) ?? versions.find(({ active }) => active);
  const send = async () => {
    const text = draft.text.peek().trim();
    if (text === "") return;
    draft.end();
    try {
      await sendNote(trackId, { text, positionSec: atSec, endSec, heard });
    } catch (thrown) {
      draft.begin({ atSec, endSec, versionId: heard?.id });
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
      <p class="comment-about">
        {aboutWords(atSec, endSec)}
        {versions.length > 1 && heard && <span class="comment-version">{labelOf(heard)}</span>}
        <Until clock={clock} draft={draft} />
      </p>
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
        <Button look="quiet small" title="Escape" run={draft.end}>
          Cancel
        </Button>
        <button
          type="submit"
          class="button small"
          title="Ctrl Enter"
          aria-disabled={draft.text.value.trim() === ""}
        >
          Send
        </button>
      </div>
    </form>
  );
}

/** `Comment on 0:42–0:51`, `Comment at 0:42`. */
export const aboutWords = (atSec: number, endSec: number | undefined): string =>
  `Comment ${endSec === undefined ? "at" : "on"} ${spanWords(atSec, endSec)}`;

/** Makes a range of the comment, to where the player is by now: what dragging over the wave does too. */
function Until({ clock, draft }: Pick<ComposerProps, "clock" | "draft">) {
  const now = useComputed(() => timeOf(clock.positionSec.value)).value;
  const { atSec = 0, endSec, versionId } = draft.about.value ?? {};
  if (now === timeOf(endSec ?? atSec) || clock.positionSec.peek() <= atSec) return null;
  return (
    <Button
      look="quiet small"
      title={`The comment is on ${timeOf(atSec)}–${now} then`}
      run={() => draft.begin({ atSec, endSec: clock.positionSec.peek(), versionId })}
    >
      Until {now}
    </Button>
  );
}
