/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import { grouped } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import {
  CreditsDialog,
  DeleteDialog,
  GiveDialog,
  InviteDialog,
  type ServerAccount,
  showInvitation,
} from "./account-dialogs.tsx";
import { Part } from "./frame.tsx";
import { readPeople } from "./server-people.tsx";

const accountsQuery = () => query("/app/accounts", {}, {});
function readAccounts(): void {
  void queryClient.invalidateQueries({ queryKey: accountsQuery().queryKey });
  readPeople();
}

/** Who has an account here. */
export function Accounts() {
  const { data, error, refetch } = useQuery(accountsQuery());
  const invite = () => showDialog((close) => <InviteDialog onClose={close} onDone={readAccounts} />);
  return (
    <Part
      heading="Accounts"
      note="Each account is a library, which only its members see."
      tools={
        <Button look="small" run={invite}>
          Invite someone
        </Button>
      }
    >
      <Problem error={error} onRetry={refetch} />
      {data && (
        <PlainTable
          label="Accounts"
          columns={["Name", "Owner", "E-mail", "Since", "People", "Tracks", "Credits"]}
          figures={["People", "Tracks", "Credits"]}
          hasActions
        >
          {data.data.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function AccountRow({ account }: { account: ServerAccount }) {
  const { name, email, createdAt, owner, members, tracks, credits, active, isOperator } = account;
  return (
    <tr>
      <th scope="row">
        {name}
        {isOperator && <span class="settings-mark mark good">Operator</span>}
        {!active && <span class="settings-mark mark">Disabled</span>}
      </th>
      <td data-label="Owner">{owner.name}</td>
      <td data-label="E-mail">{email}</td>
      <td data-label="Since">{day(createdAt)}</td>
      <td class="figure" data-label="People">
        {grouped(members)}
      </td>
      <td class="figure" data-label="Tracks">
        {grouped(tracks)}
      </td>
      <td class="figure" data-label="Credits">
        {credits === null ? "Unlimited" : grouped(credits)}
      </td>
      <td class="row-actions">
        <MenuButton label={`More actions for ${name}`} items={() => actionsOf(account)} />
      </td>
    </tr>
  );
}

function actionsOf(account: ServerAccount) {
  const { id, active, isOperator } = account;
  const dialog = (Dialog: typeof CreditsDialog) => () =>
    showDialog((close) => <Dialog account={account} onClose={close} onDone={readAccounts} />);
  return [
    { name: "Set credits…", run: dialog(CreditsDialog) },
    { name: "New password link", run: () => renew(id) },
    { name: "Give to…", run: dialog(GiveDialog) },
    ...(isOperator
      ? []
      : [
          { name: active ? "Disable" : "Enable", run: () => setActive(account) },
          { name: "Delete…", isDanger: true, run: dialog(DeleteDialog) },
        ]),
  ];
}

async function renew(id: string): Promise<void> {
  showInvitation(await dataOf(api.POST("/app/accounts/{id}/invitation", { params: { path: { id } } })));
}

async function setActive({ id, name, active }: ServerAccount): Promise<void> {
  await dataOf(api.PATCH("/app/accounts/{id}", { params: { path: { id } }, body: { active: !active } }));
  toast(`${name} ${active ? "disabled" : "enabled"}`);
  readAccounts();
}
