/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { canSendMail } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { useMailNews } from "../../share/mail-news.ts";
import { MailWords } from "../../share/mail-told.tsx";
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
  const mails = data?.data.flatMap(({ mail }) => mail ?? []) ?? [];
  const hasMails = mails.length > 0;
  useMailNews(mails, refetch);
  return (
    <Part heading="Invitations">
      <Problem error={error} onRetry={refetch} />
      {data?.data.length === 0 && <p class="soft">Nobody is invited at the moment.</p>}
      {data && data.data.length > 0 && (
        <PlainTable
          label="Invitations"
          columns={["E-mail", "Role", "Link works until", ...(hasMails ? ["Mail"] : [])]}
          hasActions
        >
          {data.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} hasMails={hasMails} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function InvitationRow({ invitation, hasMails }: { invitation: Invitation; hasMails: boolean }) {
  const { id, email, role, expiresAt, mail } = invitation;
  const params = { path: { id } };
  const send = async () => {
    await dataOf(
      api.POST("/app/team/invitations/{id}/renew", { params: { ...params, query: { mail: true } } }),
    );
    toast(`On its way to ${email}`);
    readTeam();
  };
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
      {hasMails && (
        <td data-label="Mail">
          <MailWords mail={mail} />
        </td>
      )}
      <td class="row-actions">
        <Button look="quiet small" label={`New link for ${email}`} run={renew}>
          New link
        </Button>
        {canSendMail() && (
          <Button look="quiet small" label={`Send a new link to ${email}`} run={send}>
            Send
          </Button>
        )}
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
