/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { type AnswerOf, query, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { Button } from "../../ui/button.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { keysQuery, openCreateKey, readKeys, showKeyOnce } from "./create-key.tsx";
import { Part, SettingsFrame } from "./frame.tsx";
import { purposesOf } from "./purposes.ts";

type Key = AnswerOf<"/integration/api-keys/all">["data"][number];

const usage = () => query("/integration/usage", { query: { limit: 50 } }, {});

/** The account's keys, and their use. */
export default function KeysScreen() {
  const { data, error, refetch } = useQuery(keysQuery());
  const keys = data?.data ?? [];
  return (
    <SettingsFrame heading="API keys">
      <Part
        heading="Keys"
        note="A key lets a program use the API. Give each program its own, with no more than it needs."
        tools={<Button run={() => openCreateKey()}>Create key</Button>}
      >
        <Problem error={error} onRetry={refetch} />
        {data && keys.length === 0 && <p class="soft">There are no keys yet.</p>}
        {keys.length > 0 && <KeysTable keys={keys} />}
      </Part>
      {can("manage:keys") && <Usage keys={keys} />}
    </SettingsFrame>
  );
}

function KeysTable({ keys }: { keys: readonly Key[] }) {
  return (
    <PlainTable label="API keys" columns={["Name", "May", "Last used", "Expires"]} hasActions>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </PlainTable>
  );
}

function KeyRow({ apiKey: key }: { apiKey: Key }) {
  const maker = useMaker(key.madeBy);
  return (
    <tr>
      <th scope="row" title={key.id}>
        {key.name}
        {maker && <span class="soft"> {maker}</span>}
      </th>
      <td data-label="May" title={key.scopes.join(" ")}>
        {purposesOf(key.scopes)}
      </td>
      <td data-label="Last used" title={wholeTime(key.lastUsedAt ?? key.createdAt)}>
        {key.lastUsedAt === null ? "Not yet" : ago(key.lastUsedAt)}
      </td>
      <td data-label="Expires">{key.expiresAt === null ? "Never" : day(key.expiresAt)}</td>
      <td class="row-actions">
        <Button look="quiet small" label={`Rotate ${key.name}`} run={() => rotate(key)}>
          Rotate
        </Button>
        <Button look="quiet small" label={`Revoke ${key.name}`} run={() => revoke(key)}>
          Revoke
        </Button>
      </td>
    </tr>
  );
}

async function rotate({ id, name }: Key): Promise<void> {
  const words = "Programs that use the current key stop working until they get the new one.";
  if (!(await confirmFinal(`Rotate ${name}?`, "Rotate", words))) return;
  const params = { path: { id } };
  const { key } = await dataOf(api.POST("/integration/api-keys/{id}/rotate", { params }));
  void readKeys();
  showKeyOnce(name, key);
}

async function revoke({ id, name }: Key): Promise<void> {
  const words = "Programs that use it lose access at once.";
  if (!(await confirmFinal(`Revoke ${name} for good?`, "Revoke", words))) return;
  await dataOf(api.POST("/integration/api-keys/{id}/revoke", { params: { path: { id } } }));
  void readKeys();
  toast(`${name} revoked`);
}

function Usage({ keys }: { keys: readonly Key[] }) {
  const { data } = useQuery(usage());
  const items = data?.data.items ?? [];
  if (items.length === 0) return null;
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? "A former key";
  return (
    <Part heading="Usage" note="The latest requests made with your keys.">
      <PlainTable label="Usage" columns={["Request", "Key", "Answer", "When"]}>
        {items.map(({ id, keyId, method, route, status, duration, timestamp }) => (
          <tr key={id}>
            <td class="mono">{`${method} ${route}`}</td>
            <td data-label="Key">{nameOf(keyId)}</td>
            <td data-label="Answer">{`${status}, ${duration} ms`}</td>
            <td data-label="When" title={wholeTime(timestamp)}>
              {ago(timestamp)}
            </td>
          </tr>
        ))}
      </PlainTable>
    </Part>
  );
}
