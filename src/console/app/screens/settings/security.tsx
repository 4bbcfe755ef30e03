/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_PASSWORD, MIN_PASSWORD, SESSION_IDLE_DAYS } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { account } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { Field } from "../../ui/field.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { Part, SettingsForm, SettingsFrame } from "./frame.tsx";
import { Passkeys } from "./passkeys.tsx";

/** How a session began. */
const METHODS = {
  password: "Password",
  passkey: "Passkey",
  provider: "Provider",
  operator: "Operator",
  invitation: "Invitation",
} as const;

type Session = AnswerOf<"/auth/sessions">["data"][number];

const sessions = () => query("/auth/sessions", {}, {});
const readSessions = () => queryClient.invalidateQueries({ queryKey: sessions().queryKey });

/** The password, passkeys, and where the account is signed in. */
export default function SecurityScreen() {
  const { data, error, refetch } = useQuery(sessions());
  return (
    <SettingsFrame heading="Security">
      <Part
        heading="Password"
        note="A new password ends every other session. Keys and programs keep their access."
      >
        <PasswordForm />
      </Part>
      <Passkeys />
      <Part
        heading="Sessions"
        note={`A session ends ${SESSION_IDLE_DAYS} days after its last use.`}
        tools={
          (data?.data.length ?? 0) > 1 && (
            <Button look="secondary small" run={endSessions}>
              End all other sessions
            </Button>
          )
        }
      >
        <Problem error={error} onRetry={refetch} />
        {data && <SessionsTable sessions={data.data} />}
      </Part>
    </SettingsFrame>
  );
}

function PasswordForm() {
  const current = useSignal("");
  const next = useSignal("");
  const change = async () => {
    const body = { currentPassword: current.value, newPassword: next.value };
    await dataOf(api.POST("/app/account/password", { body }));
    current.value = "";
    next.value = "";
    toast("Password changed");
    void readSessions();
  };
  return (
    <SettingsForm verb="Change password" send={change}>
      {(wrong) => (
        <>
          <input class="sr-only" type="text" autocomplete="username" value={account.email} readOnly hidden />
          <Field
            label="Current password"
            type="password"
            autocomplete="current-password"
            required
            error={wrong.currentPassword}
            {...typed(current)}
          />
          <Field
            label="New password"
            hint={`At least ${MIN_PASSWORD} characters.`}
            type="password"
            autocomplete="new-password"
            required
            maxLength={MAX_PASSWORD}
            error={wrong.newPassword}
            {...typed(next)}
          />
        </>
      )}
    </SettingsForm>
  );
}

function SessionsTable({ sessions: shown }: { sessions: readonly Session[] }) {
  return (
    <PlainTable label="Sessions" columns={["Browser", "Address", "By", "Since", "Last used"]} hasActions>
      {shown.map((session) => (
        <tr key={session.id}>
          <th scope="row" title={session.userAgent ?? ""}>
            {session.device}
            {session.current && <span class="settings-mark mark good">This one</span>}
          </th>
          <td class="mono" data-label="Address">
            {session.place ?? ""}
          </td>
          <td data-label="By">{METHODS[session.method]}</td>
          <td data-label="Since">{day(session.createdAt)}</td>
          <td data-label="Last used" title={wholeTime(session.lastUsedAt)}>
            {ago(session.lastUsedAt)}
          </td>
          <td class="row-actions">
            {!session.current && (
              <Button
                look="quiet small"
                label={`End session of ${session.device}`}
                run={() => endSessions(session.id)}
              >
                End
              </Button>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** Ends a session, or all but the one in use. */
async function endSessions(id?: string): Promise<void> {
  const params = { query: id === undefined ? {} : { id } };
  const { revoked } = await dataOf(api.DELETE("/auth/sessions", { params }));
  toast(revoked === 1 ? "Session ended" : `${revoked} sessions ended`);
  await readSessions();
}
