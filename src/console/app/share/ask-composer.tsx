/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { sendsMail } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { Field, TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { typed } from "../ui/use-form.ts";
import { copyLink } from "./copy.ts";

/** Who is asked. */
type Asked = { id: string; fullName: string; email: string | null };

/**
 * Opens the dialog that asks a composer for their details, and for their shares of tracks: by mail where that is possible, else by
 * a link to copy.
 */
export function openAskComposer(composer: Asked, trackIds: readonly string[] = []): void {
  showDialog((close) => <AskDialog composer={composer} trackIds={trackIds} onClose={close} />);
}

function AskDialog({
  composer: { id, fullName, email },
  trackIds,
  onClose,
}: {
  composer: Asked;
  trackIds: readonly string[];
  onClose: () => void;
}) {
  const message = useSignal("");
  const ask = async (mail: boolean) => {
    const text = message.peek().trim();
    const body = { trackIds: [...trackIds], ...(mail && { mail, ...(text && { message: text }) }) };
    const path = { id };
    const made = await dataOf(api.POST("/app/composers/{id}/ask", { params: { path }, body }));
    changed("composers", [id]);
    return () => (mail ? toast(`On its way to ${email}`) : showSupplyLink(fullName, made.url));
  };
  const mayMail = sendsMail && email !== null;
  return (
    <FormDialog
      label={`Ask ${fullName}`}
      verb={mayMail ? "Send" : "Create link"}
      onClose={onClose}
      send={() => ask(mayMail)}
      also={mayMail ? { verb: "Create link", send: () => ask(false) } : undefined}
    >
      {(wrong) => (
        <>
          <p class="soft">
            {fullName} gets a page with their own details to check and complete. What they send changes
            nothing before you take it.
          </p>
          {mayMail && (
            <TextField
              label={`Message to ${fullName} (optional)`}
              error={wrong.message}
              {...typed(message)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function showSupplyLink(name: string, url: string): void {
  showDialog((close) => (
    <Dialog label={`Link for ${name}`} onClose={close}>
      <div class="form">
        <p class="soft">Send it to {name} yourself. It works for 14 days, and is shown only now.</p>
        <Field label="Link" readOnly value={url} />
        <div class="dialog-actions">
          <Button look="secondary small" run={() => copyLink(url)}>
            Copy
          </Button>
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}
