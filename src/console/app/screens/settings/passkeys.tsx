/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_PASSKEY_NAME } from "../../../../modules/people/signin/shapes.ts";
import { createPasskey, hasPasskeys, isDismissed } from "../../../../pages/passkeys/browser.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { Part } from "./frame.tsx";
import { proved } from "./proof.tsx";

type Passkey = AnswerOf<"/app/account/passkeys">["data"][number];

const passkeys = () => query("/app/account/passkeys", {}, {});
const readPasskeys = () => queryClient.invalidateQueries({ queryKey: passkeys().queryKey });

/** The passkeys of the person, where the server has them. */
export function Passkeys() {
  const { data } = useQuery(query("/app/account", {}, {}));
  return data?.data.signIn.passkeys ? <PasskeyPart /> : null;
}

function PasskeyPart() {
  const { data, error, refetch } = useQuery(passkeys());
  return (
    <Part
      heading="Passkeys"
      note="Sign in with your fingerprint, your face or your device's code instead of the password."
      tools={
        hasPasskeys() && (
          <Button look="small" run={() => proved(add)}>
            Add a passkey
          </Button>
        )
      }
    >
      <Problem error={error} onRetry={refetch} />
      {data?.data.length === 0 && <p class="soft">You have none yet.</p>}
      {data && data.data.length > 0 && (
        <ul class="settings-list" aria-label="Passkeys">
          {data.data.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </Part>
  );
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <span class="settings-list-name">
        <strong>{name}</strong>
        <span class="soft" title={wholeTime(lastUsedAt ?? createdAt)}>
          {lastUsedAt ? `Last used ${ago(lastUsedAt)}` : `Added ${day(createdAt)}, never used`}
        </span>
      </span>
      <Button
        look="quiet small"
        label={`Rename ${name}`}
        run={() => showDialog((close) => <RenameDialog passkey={passkey} onClose={close} />)}
      >
        Rename
      </Button>
      <Button
        look="quiet small"
        label={`Remove ${name}`}
        run={() => showDialog((close) => <RemoveDialog passkey={passkey} onClose={close} />)}
      >
        Remove
      </Button>
    </li>
  );
}

async function add(): Promise<void> {
  const { flow, options } = await dataOf(api.POST("/app/account/passkeys/options", {}));
  try {
    const credential = await createPasskey(options);
    await dataOf(api.POST("/app/account/passkeys", { body: { flow, credential: credential as never } }));
    toast("Passkey added");
    await readPasskeys();
  } catch (thrown) {
    // The device has one already, or the person would rather not.
    if (thrown instanceof DOMException && thrown.name === "InvalidStateError")
      toast("This device has a passkey for you already");
    else if (!isDismissed(thrown)) throw thrown;
  }
}

type PasskeyDialog = { passkey: Passkey; onClose: () => void };

function RenameDialog({ passkey: { id, name }, onClose }: PasskeyDialog) {
  const next = useSignal(name);
  const send = async () => {
    const params = { path: { id } };
    await dataOf(api.PATCH("/app/account/passkeys/{id}", { params, body: { name: next.value } }));
    await readPasskeys();
  };
  return (
    <FormDialog label={`Rename ${name}`} verb="Rename" onClose={onClose} send={send}>
      {(wrong) => (
        <Field label="Name" error={wrong.name} maxLength={MAX_PASSKEY_NAME} autofocus {...typed(next)} />
      )}
    </FormDialog>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: PasskeyDialog) {
  const remove = async () => {
    await dataOf(api.DELETE("/app/account/passkeys/{id}", { params: { path: { id } } }));
    toast(`${name} removed`);
    await readPasskeys();
  };
  return (
    <FormDialog
      label={`Remove ${name}?`}
      verb="Remove"
      isDanger
      onClose={onClose}
      send={() => proved(remove)}
    >
      {() => <p>It no longer signs you in. Delete it on your device too, which may go on offering it.</p>}
    </FormDialog>
  );
}
