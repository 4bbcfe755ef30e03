/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { MAX_EMAIL } from "../../../modules/people/people/shapes.ts";
import { canSendMail } from "../api/library.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { typed, type Wrong } from "../ui/use-form.ts";
import { sendTo } from "./mail-words.ts";

type Props = {
  onClose: () => void;
  /** Invites an address, by a mail or by a link to pass on. Returns what to do when the dialog has closed. */
  invite: (email: string, mail: boolean) => Promise<unknown>;
  /** What else there is to say of somebody, with what is wrong, by field. */
  children: (wrong: Wrong) => ComponentChildren;
};

/** Asks whom to invite: by a link, or by a mail where the server sends them. */
export function InviteForm({ onClose, invite, children }: Props) {
  const email = useSignal("");
  return (
    <FormDialog
      label="Invite someone"
      verb="Create link"
      onClose={onClose}
      send={() => invite(email.value, false)}
      also={canSendMail() ? { verb: sendTo(1), send: () => invite(email.value, true) } : undefined}
    >
      {(wrong) => (
        <>
          <Field
            label="E-mail"
            type="email"
            autofocus
            required
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
          {children(wrong)}
        </>
      )}
    </FormDialog>
  );
}
