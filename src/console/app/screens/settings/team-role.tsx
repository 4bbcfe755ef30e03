/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { ROLE_WORDS } from "./roles.ts";
import { type Member, readTeam } from "./team-queries.ts";
import { bodyOf, TermsFields, useTerms } from "./team-terms.tsx";

/** Changes the role of a member, what else they see, and until when. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const terms = useTerms(member);
  const send = async () => {
    const params = { path: { id: member.id } };
    const { role } = await dataOf(api.PATCH("/app/team/members/{id}", { params, body: bodyOf(terms) }));
    toast(role === member.role ? "Saved" : `Role changed to ${ROLE_WORDS[role].name.toLowerCase()}`);
    readTeam();
  };
  return (
    <FormDialog label={`Role of ${member.person.name}`} verb="Save" onClose={onClose} send={send}>
      {(wrong) => <TermsFields terms={terms} wrong={wrong} />}
    </FormDialog>
  );
}
