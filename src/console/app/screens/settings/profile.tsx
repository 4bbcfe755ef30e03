/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { day } from "../../ui/dates.ts";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { Part, SettingsFrame } from "./frame.tsx";

type Account = AnswerOf<"/app/account">["data"];

const asked = () => query("/app/account", {}, {});

/** The name and the address of the account. */
export default function ProfileScreen() {
  const { data, error, refetch } = useQuery(asked());
  return (
    <SettingsFrame heading="Profile">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <ProfileForm key={data.data.id} account={data.data} />}
    </SettingsFrame>
  );
}

function ProfileForm({ account }: { account: Account }) {
  const name = useSignal(account.name);
  const email = useSignal(account.email);
  const password = useSignal("");
  const wrong = useSignal<string | undefined>(undefined);
  const isMoved = email.value.trim().toLowerCase() !== account.email;
  const save = async (event: Event) => {
    event.preventDefault();
    wrong.value = undefined;
    const body = {
      name: name.value,
      email: email.value,
      ...(isMoved && { currentPassword: password.value }),
    };
    try {
      const data = await dataOf(api.PATCH("/app/account", { body }));
      queryClient.setQueryData(asked().queryKey, (before) => ({ ...(before as object), data }));
      name.value = data.name;
      email.value = data.email;
      password.value = "";
      toast("Saved");
    } catch (thrown) {
      const [issue] = thrown instanceof ApiError ? thrown.issues : [];
      if (issue?.path === "currentPassword") wrong.value = `This ${issue.detail}.`;
      else toastError(thrown);
    }
  };
  return (
    <Part heading="You" note={`You have had this account since ${day(account.createdAt)}.`}>
      <form class="form settings-form" onSubmit={(event) => void save(event)}>
        <Field
          label="Name"
          hint="Shown on the pages that you share."
          autocomplete="name"
          maxLength={200}
          required
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <Field
          label="E-mail"
          hint="You sign in with this address."
          type="email"
          autocomplete="email"
          maxLength={254}
          required
          value={email.value}
          onInput={({ currentTarget }) => {
            email.value = currentTarget.value;
          }}
        />
        {isMoved && (
          <Field
            label="Current password"
            hint="A new address needs it."
            type="password"
            autocomplete="current-password"
            required
            error={wrong.value}
            value={password.value}
            onInput={({ currentTarget }) => {
              password.value = currentTarget.value;
            }}
          />
        )}
        <div>
          <button type="submit" class="button">
            Save
          </button>
        </div>
      </form>
    </Part>
  );
}
