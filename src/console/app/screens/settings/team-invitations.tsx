/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Part } from "./frame.tsx";
import { ROLE_WORDS } from "./roles.ts";
import { showInvitation } from "./team-invite.tsx";
import { type Invitation, invitationsQuery, readTeam } from "./team-queries.ts";

/** Who is invited and has not joined. */
export function Invitations() {
  const { data, error, refetch } = useQuery(invitationsQuery());
  return (
    <Part heading="Invitations">
      <Problem error={error} onRetry={refetch} />
      {data?.data.length === 0 && <p class="soft">Nobody is invited at the moment.</p>}
      {data && data.data.length > 0 && (
        <PlainTable label="Invitations" columns={["E-mail", "Role", "Link works until"]} hasActions>
          {data.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, expiresAt } = invitation;
  const params = { path: { id } };
  const renew = async () => {
    showInvitation(await dataOf(api.POST("/app/team/invitations/{id}/renew", { params })));
    readTeam();
  };
  const withdraw = async () => {
    await dataOf(api.DELETE("/app/team/invitations/{id}", { params }));
    toast(`Invitation for ${email} withdrawn`);
    readTeam();
  };
  return (
    <tr>
      <th scope="row">{email}</th>
      <td data-label="Role">{ROLE_WORDS[role].name}</td>
      <td data-label="Link works until">{linkEnds(expiresAt)}</td>
      <td class="row-actions">
        <Button look="quiet small" label={`New link for ${email}`} run={renew}>
          New link
        </Button>
        <Button look="quiet small" label={`Withdraw invitation for ${email}`} run={withdraw}>
          Withdraw
        </Button>
      </td>
    </tr>
  );
}

function linkEnds(expiresAt: string | null): string {
  if (expiresAt === null) return "No link yet";
  return Date.parse(expiresAt) < Date.now() ? "Ended" : day(expiresAt);
}
