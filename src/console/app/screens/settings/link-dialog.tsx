/** @jsxRuntime automatic @jsxImportSource preact */
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { CopyButton } from "./copy-button.tsx";

type Link = {
  email: string;
  url: string;
  /** How it gets there, and how long it works. */
  note: string;
};

/** Shows a link for one person, to be sent by hand. */
export function showLink({ email, url, note }: Link): void {
  showDialog((close) => (
    <Dialog label={`Link for ${email}`} onClose={close}>
      <div class="form">
        <p class="soft">{note}</p>
        <Field label="Link" readOnly value={url} />
        <div class="dialog-actions">
          <CopyButton text={url} said="Link copied" />
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}
