/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_WEBHOOK_URL } from "../../../../modules/outward/webhooks/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { place, setSearch } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { Field, SelectField, Switch } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed, useForm } from "../../ui/use-form.ts";
import { CodeToCopy, CopyButton } from "./copy-button.tsx";
import { keysQuery, readKeys } from "./create-key.tsx";
import { Deliveries, readDeliveries } from "./deliveries.tsx";
import { Part, SettingsFrame } from "./frame.tsx";

type Key = AnswerOf<"/integration/api-keys/all">["data"][number];
type Setting = AnswerOf<"/integration/api-keys/{id}/webhook">["data"];

const settingOf = (id: string) => query("/integration/api-keys/{id}/webhook", { path: { id } }, {});

const VERIFY = `import { Webhook } from "standardwebhooks";

// secret: the signing secret; body: the text as it arrived.
// Throws when the signature is wrong or too old.
const event = new Webhook(secret).verify(body, headers);`;

/** Where the events of each key are sent, and what became of them. */
export default function WebhooksScreen() {
  const { data, error, refetch } = useQuery(keysQuery());
  const keys = data?.data ?? [];
  const asked = place.value.search.get("key");
  const key =
    keys.find(({ id }) => id === asked) ?? keys.find(({ webhookActive }) => webhookActive) ?? keys[0];
  return (
    <SettingsFrame heading="Webhooks">
      <Problem error={error} onRetry={refetch} />
      {data && keys.length === 0 && (
        <p class="soft">
          Events are sent on behalf of a key, and only those that it may read.{" "}
          <a href={href("/library/settings/keys")}>Create a key</a> first.
        </p>
      )}
      {key && (
        <>
          <Part
            heading="Receiver"
            note="Each event is signed, sent to this address, and tried up to ten times."
          >
            <KeyChoice keys={keys} current={key.id} />
            <Receiver key={key.id} id={key.id} />
          </Part>
          <Deliveries key={key.id} keyId={key.id} />
        </>
      )}
    </SettingsFrame>
  );
}

function KeyChoice({ keys, current }: { keys: readonly Key[]; current: string }) {
  return (
    <div class="settings-form">
      <SelectField
        label="Key"
        value={current}
        options={keys.map(({ id, name, webhookActive }) => ({
          value: id,
          name: webhookActive ? `${name}, on` : name,
        }))}
        onChange={(key) => setSearch({ key })}
      />
    </div>
  );
}

function Receiver({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(settingOf(id));
  if (error) return <Problem error={error} onRetry={refetch} />;
  // While another key's setting loads, this would be the one before.
  return data?.data.id === id ? <ReceiverForm setting={data.data} /> : null;
}

function ReceiverForm({ setting }: { setting: Setting }) {
  const { id, webhookActive, webhookSecret } = setting;
  const url = useSignal(setting.webhookUrl ?? "");
  const params = { path: { id } };
  const save = async (active: boolean) => {
    const body = { url: url.value, active };
    await dataOf(api.POST("/integration/api-keys/{id}/webhook", { params, body }));
    await queryClient.invalidateQueries({ queryKey: settingOf(id).queryKey });
    void readKeys();
    void readDeliveries(id);
    toast("Saved");
  };
  const { wrong, problem, submit } = useForm(() => save(webhookActive || webhookSecret === null));
  const test = async () => {
    await dataOf(api.POST("/integration/api-keys/{id}/webhook/test", { params }));
    toast("Test event on its way");
    await readDeliveries(id);
  };
  return (
    <form class="form settings-form" noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label="Address"
        type="url"
        placeholder="https://example.com/dubplate"
        required
        maxLength={MAX_WEBHOOK_URL}
        error={wrong.url ?? problem}
        {...typed(url)}
      />
      {webhookSecret !== null && <Switch label="Send events" isOn={webhookActive} onChange={save} />}
      <div class="buttons">
        <button type="submit" class="button">
          Save
        </button>
        {webhookActive && (
          <Button look="secondary" run={test}>
            Send test event
          </Button>
        )}
      </div>
      {webhookSecret !== null && (
        <>
          <Field label="Signing secret" readOnly value={webhookSecret} />
          <div>
            <CopyButton text={webhookSecret} said="Secret copied" />
          </div>
          <details>
            <summary>How to verify a delivery</summary>
            <CodeToCopy text={VERIFY} />
          </details>
        </>
      )}
    </form>
  );
}
