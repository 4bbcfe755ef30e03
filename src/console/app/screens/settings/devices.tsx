/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { type AnswerOf, queryClient, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { counted } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { openAddApp, playersQuery, readPlayers, showPassword } from "./add-app.tsx";
import { Copies } from "./copies.tsx";
import { Part, SettingsFrame } from "./frame.tsx";

type Apps = AnswerOf<"/app/players">["data"];
type App = Apps["items"][number];

/** The devices that keep music, and the music apps that play the library. */
export default function DevicesScreen() {
  const { data, error, refetch } = useQuery(playersQuery());
  const apps = data?.data;
  return (
    <SettingsFrame heading="Devices">
      <Copies />
      <Part
        heading="Music apps"
        note="Players such as Symfonium, Amperfy or Feishin can then play your library. They read only. Each gets a password of its own."
        tools={apps?.isOn && <Button run={() => openAddApp(apps)}>Add an app</Button>}
      >
        <Problem error={error} onRetry={refetch} />
        {apps && <LetIn apps={apps} />}
        {apps && apps.items.length > 0 && <AppsTable apps={apps} />}
      </Part>
    </SettingsFrame>
  );
}

function LetIn({ apps: { isOn, items } }: { apps: Apps }) {
  if (!can("manage:library")) return isOn ? null : <p class="soft">This library lets no music apps in.</p>;
  const change = async (next: boolean) => {
    if (!next && items.length > 0) {
      const words = `${lose(items.length)} They may keep what they have downloaded.`;
      if (!(await confirmFinal("Shut music apps out?", "Shut out", words))) return;
    }
    await dataOf(api.PATCH("/app/players", { body: { isOn: next } }));
    queryClient.setQueryData<AnswerOf<"/app/players">>(
      playersQuery().queryKey,
      (before) => before && { ...before, data: { ...before.data, isOn: next } },
    );
  };
  return <Switch label="Let music apps in" isOn={isOn} onChange={change} />;
}

const lose = (count: number) => `${counted(count, "app")} ${count === 1 ? "loses" : "lose"} access at once.`;

function AppsTable({ apps }: { apps: Apps }) {
  return (
    <PlainTable label="Music apps" columns={["Name", "App", "Sound", "Last used"]} hasActions>
      {apps.items.map((app) => (
        <AppRow key={app.id} app={app} apps={apps} />
      ))}
    </PlainTable>
  );
}

function AppRow({ app, apps }: { app: App; apps: Apps }) {
  const maker = useMaker(app.madeBy);
  return (
    <tr>
      <th scope="row" title={app.username}>
        {app.name}
        {maker && <span class="soft"> {maker}</span>}
      </th>
      <td data-label="App">{app.client ?? "None yet"}</td>
      <td data-label="Sound">{app.sound === "small" ? "Small" : "Original files"}</td>
      <td data-label="Last used" title={wholeTime(app.lastUsedAt ?? app.createdAt)}>
        {app.lastUsedAt === null ? "Not yet" : ago(app.lastUsedAt)}
      </td>
      <td class="row-actions">
        {app.isOwn && apps.canReveal && (
          <Button
            look="quiet small"
            label={`Show password of ${app.name}`}
            run={() => reveal(app, apps.server)}
          >
            Show password
          </Button>
        )}
        {app.isOwn && (
          <Button
            look="quiet small"
            label={`New password for ${app.name}`}
            run={() => renew(app, apps.server)}
          >
            New password
          </Button>
        )}
        <Button look="quiet small" label={`Remove ${app.name}`} run={() => remove(app)}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

async function reveal({ id, name }: App, server: string): Promise<void> {
  const params = { path: { id } };
  const signIn = await dataOf(api.GET("/app/players/{id}/password", { params }));
  showPassword(name, { ...signIn, server }, { canReveal: true });
}

async function renew({ id, name }: App, server: string): Promise<void> {
  const words = "The app loses access until it gets the new one.";
  if (!(await confirmFinal(`New password for ${name}?`, "Make a new one", words))) return;
  const params = { path: { id } };
  const signIn = await dataOf(api.POST("/app/players/{id}/password", { params }));
  showPassword(name, { ...signIn, server }, { canReveal: false });
}

async function remove({ id, name }: App): Promise<void> {
  const words = "The app loses access at once. It may keep what it has downloaded.";
  if (!(await confirmFinal(`Remove ${name}?`, "Remove", words))) return;
  await dataOf(api.DELETE("/app/players/{id}", { params: { path: { id } } }));
  void readPlayers();
  toast(`${name} removed`);
}
