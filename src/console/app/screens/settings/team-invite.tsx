/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { InviteForm } from "../../share/invite-form.tsx";
import { once } from "../../share/once.ts";
import { toast } from "../../ui/toast.tsx";
import { showLink } from "./link-dialog.tsx";
import { readTeam } from "./team-queries.ts";
import { bodyOf, TermsFields, useTerms } from "./team-terms.tsx";

/** Invites somebody, and shows the link to send to them. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const terms = useTerms();
  const invite = async (email: string, mail: boolean) => {
    const body = { email, ...bodyOf(terms), ...(mail && { mail }) };
    const made = await once(body, (headers) => dataOf(api.POST("/app/team/invitations", { body, headers })));
    readTeam();
    return () => (mail ? toast(`On its way to ${made.email}`) : showInvitation(made));
  };
  return (
    <InviteForm onClose={onClose} invite={invite}>
      {(wrong) => <TermsFields terms={terms} wrong={wrong} />}
    </InviteForm>
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
