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
import { proved } from "./proof.tsx";
import { Provider } from "./provider.tsx";
import { Recovery } from "./recovery.tsx";
import { readSignIn, useSignIn } from "./sign-in-state.ts";

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

/** The ways in which the person signs in, and where they are signed in. */
export default function SecurityScreen() {
  const { data, error, refetch } = useQuery(sessions());
  const ways = useSignIn();
  return (
    <SettingsFrame heading="Security">
      {ways?.mayHavePassword !== false && (
        <Part
          heading="Password"
          note="A new password ends every other session. Keys and programs keep their access."
        >
          <PasswordForm hasPassword={ways?.hasPassword !== false} />
        </Part>
      )}
      <Passkeys />
      <Provider />
      <Recovery />
      <Part
        heading="Sessions"
        note={`A session ends ${SESSION_IDLE_DAYS} days after its last use.`}
        tools={
          (data?.data.length ?? 0) > 1 && (
            <Button look="secondary small" run={() => endSessions()}>
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

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const current = useSignal("");
  const next = useSignal("");
  const change = async () => {
    const body = { newPassword: next.value, ...(hasPassword && { currentPassword: current.value }) };
    await dataOf(api.POST("/app/account/password", { body }));
    current.value = "";
    next.value = "";
    toast("Password changed");
    void readSessions();
    void readSignIn();
  };
  return (
    <SettingsForm verb={hasPassword ? "Change password" : "Set a password"} send={() => proved(change)}>
      {(wrong) => (
        <>
          <input class="sr-only" type="text" autocomplete="username" value={account.email} readOnly hidden />
          {hasPassword && (
            <Field
              label="Current password"
              type="password"
              autocomplete="current-password"
              required
              error={wrong.currentPassword}
              {...typed(current)}
            />
          )}
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
  const hasLibraries = new Set(shown.flatMap(({ library }) => library?.id ?? [])).size > 1;
  return (
    <PlainTable
      label="Sessions"
      columns={["Browser", "Address", ...(hasLibraries ? ["Library"] : []), "By", "Since", "Last used"]}
      hasActions
    >
      {shown.map((session) => (
        <tr key={session.id}>
          <th scope="row" title={session.userAgent ?? ""}>
            {session.device}
            {session.current && <span class="settings-mark mark good">This one</span>}
          </th>
          <td data-label="Address" title={session.ip ?? ""}>
            {session.place ?? ""}
          </td>
          {hasLibraries && <td data-label="Library">{session.library?.name ?? ""}</td>}
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
