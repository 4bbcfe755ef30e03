/** @jsxRuntime automatic @jsxImportSource preact */
import { signal, useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { type AnswerOf, query, queryAt, queryClient, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { href } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { Switch } from "../../ui/field.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { clientTexts, KEY_PLACE, type Way } from "./client-texts.ts";
import { CodeToCopy } from "./copy-button.tsx";
import { openCreateKey } from "./create-key.tsx";
import { Part, SettingsFrame } from "./frame.tsx";
import { purposesOf } from "./purposes.ts";

type Grant = AnswerOf<"/app/grants">["data"][number];

const WAYS: readonly { way: Way; heading: string; note: string }[] = [
  {
    way: "signIn",
    heading: "Sign in",
    note: "The client opens this browser, and you choose what it may do.",
  },
  { way: "key", heading: "With a key", note: "For clients that cannot open a browser." },
  {
    way: "stdio",
    heading: "As a program",
    note: "For clients that only start programs on their own machine.",
  },
];

/** A key that was made here: the texts have it until the window is left. */
const madeKey = signal<string | undefined>(undefined);

const grants = () => query("/app/grants", {}, {});
/** Where the tool server is, as it tells every client. */
const toolServer = () => queryAt<{ resource: string }>("/.well-known/oauth-protected-resource/mcp", {});

/** How assistants are let in, and which of them are. */
export default function AssistantsScreen() {
  const server = useQuery(toolServer());
  return (
    <SettingsFrame heading="Assistants">
      <Part
        heading="Connect a client"
        note="An assistant that speaks the Model Context Protocol can find, tag, arrange and share your music."
        tools={
          <Button
            look="secondary small"
            run={() =>
              openCreateKey({
                name: "Assistant",
                onMade: (key) => {
                  madeKey.value = key;
                },
              })
            }
          >
            Create key
          </Button>
        }
      >
        <Problem error={server.error} onRetry={server.refetch} />
        {server.data && <Clients mcp={server.data.resource} />}
      </Part>
      <Programs />
      {can("manage:library") && <Doings />}
    </SettingsFrame>
  );
}

const account = () => query("/app/account", {}, {});

/** What assistants did, and whether they ask before they delete. */
function Doings() {
  const { data, error, refetch } = useQuery(account());
  const change = async (isAsked: boolean) => {
    const assistantConfirm = isAsked ? "deletes" : "never";
    const changed = await dataOf(api.PATCH("/app/account", { body: { assistantConfirm } }));
    queryClient.setQueryData<AnswerOf<"/app/account">>(
      account().queryKey,
      (before) => before && { ...before, data: changed },
    );
  };
  return (
    <Part heading="What assistants do" note="Every call is listed, and what one changed can be taken back.">
      <Problem error={error} onRetry={refetch} />
      {data && (
        <Switch
          label="Ask before an assistant deletes"
          hint="Your client shows what would go, and waits for your yes. Some clients cannot ask."
          isOn={data.data.assistantConfirm === "deletes"}
          onChange={change}
        />
      )}
      <p>
        <a href={href("/library/assistant")}>What assistants did</a>
      </p>
    </Part>
  );
}

function Clients({ mcp }: { mcp: string }) {
  const clients = clientTexts(mcp, madeKey.value ?? KEY_PLACE);
  const current = useSignal(clients[0]?.id ?? "");
  const client = clients.find(({ id }) => id === current.value);
  return (
    <Tabs
      label="Client"
      tabs={clients}
      current={current.value}
      onChange={(id) => {
        current.value = id;
      }}
    >
      <div class="client-ways">
        {WAYS.map(({ way, heading, note }) => {
          const text = client?.ways[way];
          if (text === undefined) return null;
          return (
            <section key={way}>
              <h3>{heading}</h3>
              <p class="soft">{`${note} Put this ${client?.place}:`}</p>
              <CodeToCopy text={text} />
            </section>
          );
        })}
      </div>
    </Tabs>
  );
}

function Programs() {
  const { data, error, refetch } = useQuery(grants());
  const programs = data?.data ?? [];
  return (
    <Part heading="Programs" note="Programs that you gave access by signing in.">
      <Problem error={error} onRetry={refetch} />
      {data && programs.length === 0 && <p class="soft">No program has access yet.</p>}
      {programs.length > 0 && (
        <PlainTable label="Programs" columns={["Program", "May", "Access since", "Last used"]} hasActions>
          {programs.map((program) => (
            <ProgramRow key={program.id} program={program} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function ProgramRow({ program }: { program: Grant }) {
  const { clientName, redirectHost, scopes, createdAt, lastUsedAt } = program;
  const maker = useMaker(program.madeBy);
  return (
    <tr>
      <th scope="row">
        {clientName} <span class="soft">{[redirectHost, maker].filter(Boolean).join(" · ")}</span>
      </th>
      <td data-label="May" title={scopes.join(" ")}>
        {purposesOf(scopes)}
      </td>
      <td data-label="Access since">{day(createdAt)}</td>
      <td data-label="Last used" title={wholeTime(lastUsedAt ?? createdAt)}>
        {lastUsedAt === null ? "Not yet" : ago(lastUsedAt)}
      </td>
      <td class="row-actions">
        <Button look="quiet small" label={`Remove ${clientName}`} run={() => remove(program)}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

async function remove({ id, clientName }: Grant): Promise<void> {
  await dataOf(api.DELETE("/app/grants", { params: { query: { id } } }));
  await queryClient.invalidateQueries({ queryKey: grants().queryKey });
  toast(`${clientName} removed`);
}
