/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_EMAIL } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { canSendMail } from "../../api/library.ts";
import { sendTo } from "../../share/mail-words.ts";
import { once } from "../../share/once.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { showLink } from "./link-dialog.tsx";
import { readTeam } from "./team-queries.ts";
import { bodyOf, TermsFields, useTerms } from "./team-terms.tsx";

/** Invites somebody, and shows the link to send to them. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const email = useSignal("");
  const terms = useTerms();
  const create = async (mail: boolean) => {
    const body = { email: email.value, ...bodyOf(terms), ...(mail && { mail }) };
    const made = await once(body, (headers) => dataOf(api.POST("/app/team/invitations", { body, headers })));
    readTeam();
    return () => (mail ? toast(`On its way to ${made.email}`) : showInvitation(made));
  };
  return (
    <FormDialog
      label="Invite someone"
      verb="Create link"
      onClose={onClose}
      send={() => create(false)}
      also={canSendMail() ? { verb: sendTo(1), send: () => create(true) } : undefined}
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
          <TermsFields terms={terms} wrong={wrong} />
        </>
      )}
    </FormDialog>
  );
}

/** Shows the link of an invitation, which is shown only now. */
export function showInvitation({ email, url }: { email: string; url: string }): void {
  showLink({
    email,
    url,
    note: `Send it to ${email} yourself. It works once, for that address, within 7 days.`,
  });
}
