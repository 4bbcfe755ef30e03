/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_COMMENT } from "../../../modules/sharing/comments/shapes.ts";
import { clock } from "../player/time.ts";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

type Props = {
  title: string;
  atSec: number;
  /** Keeps the text to be sent. */
  keep: (text: string) => Promise<unknown>;
  onClose: () => void;
};

/** A comment at a time of a track, which is sent later. */
export function CommentDialog({ title, atSec, keep, onClose }: Props) {
  const text = useSignal("");
  return (
    <FormDialog
      label={`Comment at ${clock(atSec)}`}
      verb="Keep"
      isReady={text.value.trim() !== ""}
      onClose={onClose}
      send={() => keep(text.peek())}
    >
      {() => (
        <TextField
          label="Comment"
          hint={`On ${title}. Will be sent when you are back.`}
          maxLength={MAX_COMMENT}
          autofocus
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      )}
    </FormDialog>
  );
}
