/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_EMAIL } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { MailFields, mailOf, useMailForm } from "../../share/mail-fields.tsx";
import { sendTo } from "../../share/mail-words.ts";
import { readMails } from "../../share/mails.tsx";
import { writeOpens } from "../../share/opens.ts";
import { isAddress } from "../../share/recipients.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import type { Link } from "./state.ts";

const noAddress = (): ApiError =>
  new ApiError(400, "validation_failed", "Invalid request", [
    { path: "email", code: "format", detail: "must be an address" },
  ]);

/** Sends a link that exists to the person whom it is for. */
export function SendLinkDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const { id, recipient, recipientEmail, notBefore } = link;
  const email = useSignal(recipientEmail ?? "");
  const mail = useMailForm();
  const opensLater = notBefore !== null && Date.parse(notBefore) > Date.now();
  const send = async () => {
    if (!isAddress(email.peek())) throw noAddress();
    const wish = mailOf(mail.peek(), opensLater ? writeOpens(notBefore) : "");
    const body = { recipientEmail: email.peek().trim(), mail: wish };
    await dataOf(api.PATCH("/app/shares/{id}", { params: { path: { id } }, body }));
    changed("shares", [id]);
    readMails();
    toast(`On its way to ${recipient}`);
  };
  return (
    <FormDialog
      label={`Send the link for ${recipient}`}
      verb={sendTo(1)}
      takesEnter={false}
      onClose={onClose}
      send={send}
    >
      {(wrong) => (
        <>
          <Field
            label="E-mail"
            type="email"
            autofocus
            required
            maxLength={MAX_EMAIL}
            error={wrong.email ?? wrong.recipientEmail}
            {...typed(email)}
          />
          <MailFields form={mail} opensLater={opensLater} error={wrong.mail} />
        </>
      )}
    </FormDialog>
  );
}
