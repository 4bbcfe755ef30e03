/** @jsxRuntime automatic @jsxImportSource preact */
import { copy } from "../share/copy.ts";
import { Button } from "../ui/button.tsx";
import { type CommentRow, dropOutbox } from "./outbox.ts";
import { aboutText, commentText } from "./words.ts";

/** The comments that wait to be sent, and those that were refused, with their texts. */
export function WaitingComments({
  rows,
  onChange,
}: {
  rows: readonly CommentRow[];
  onChange: () => unknown;
}) {
  if (rows.length === 0) return null;
  return (
    <ul class="waiting-notes" aria-label="Comments that were not sent">
      {rows.map((row) => (
        <li key={row.key} class="waiting-note">
          <span class="waiting-about">{aboutText(row)}</span>
          <span class="waiting-text">{row.item.text}</span>
          <span class="waiting-about">{commentText(row)}</span>
          {row.refusal !== null && (
            <span class="waiting-tools">
              <Button look="secondary small" run={() => copy(row.item.text)}>
                Copy
              </Button>
              <Button look="quiet small" run={() => dropOutbox(row).then(onChange)}>
                Remove
              </Button>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
