/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MAX_EMAIL, MAX_NAME } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { sendsMail } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { Part, SettingsForm, SettingsFrame } from "./frame.tsx";
import { proved } from "./proof.tsx";
import { useSignIn } from "./sign-in-state.ts";

type Account = AnswerOf<"/app/account">["data"];

const asked = () => query("/app/account", {}, {});

/** The name and the address of the account. */
export default function ProfileScreen() {
  const { data, error, refetch } = useQuery(asked());
  return (
    <SettingsFrame heading="Profile">
      <Problem error={error} onRetry={refetch} />
      {data && <ProfileForm key={`${data.data.id} ${data.data.email}`} account={data.data} />}
    </SettingsFrame>
  );
}

/** Keeps what the server says of the account. */
function keep(data: Account): Account {
  queryClient.setQueryData(asked().queryKey, (before) => ({ ...(before as object), data }));
  return data;
}

/** Says that a new address has not been confirmed yet. Its link opens in another window. */
function Awaited({ email, newEmail }: { email: string; newEmail: string }) {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible")
        void queryClient.invalidateQueries({ queryKey: asked().queryKey });
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const takeBack = async () => {
    keep(await dataOf(api.PATCH("/app/account", { body: { email } })));
    toast(`Your address stays ${email}`);
  };
  return (
    <div class="settings-awaited" role="status">
      <p>
        Open the link in the mail to <strong>{newEmail}</strong> within an hour. Until then you sign in with{" "}
        {email}.
      </p>
      <Button look="secondary small" run={takeBack}>
        Keep {email}
      </Button>
    </div>
  );
}

function ProfileForm({ account }: { account: Account }) {
  const name = useSignal(account.name);
  const email = useSignal(account.email);
  const password = useSignal("");
  const isMoved = email.value.trim().toLowerCase() !== account.email;
  const hasPassword = useSignIn()?.hasPassword !== false;
  const save = async () => {
    const body = {
      name: name.value,
      email: email.value,
      ...(isMoved && hasPassword && { currentPassword: password.value }),
    };
    const data = keep(await dataOf(api.PATCH("/app/account", { body })));
    name.value = data.name;
    email.value = data.email;
    password.value = "";
    toast(isMoved && data.newEmail !== null ? `A link is on its way to ${data.newEmail}` : "Saved");
  };
  return (
    <Part heading="You" note={`You have had this account since ${day(account.createdAt)}.`}>
      {account.newEmail !== null && <Awaited email={account.email} newEmail={account.newEmail} />}
      <SettingsForm send={() => proved(save)}>
        {(wrong) => (
          <>
            <Field
              label="Name"
              hint="Shown on the pages that you share."
              autocomplete="name"
              maxLength={MAX_NAME}
              required
              error={wrong.name}
              {...typed(name)}
            />
            <Field
              label="E-mail"
              hint={
                sendsMail
                  ? "You sign in with this address. A new one counts once you have opened the link that is sent there."
                  : "You sign in with this address."
              }
              type="email"
              autocomplete="email"
              maxLength={MAX_EMAIL}
              required
              error={wrong.email}
              {...typed(email)}
            />
            {isMoved && hasPassword && (
              <Field
                label="Current password"
                hint="Needed to change your e-mail address."
                type="password"
                autocomplete="current-password"
                required
                error={wrong.currentPassword}
                {...typed(password)}
              />
            )}
          </>
        )}
      </SettingsForm>
    </Part>
  );
}
