/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { ago } from "../../ui/dates.ts";
import { confirmFinal } from "../../ui/dialog.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Part } from "./frame.tsx";

type Person = AnswerOf<"/app/people">["data"][number];

const peopleQuery = () => query("/app/people", {}, {});

/** Has the list read again. */
export const readPeople = () => void queryClient.invalidateQueries({ queryKey: peopleQuery().queryKey });

/** Who signs in here, and where they are. */
export function ServerPeople() {
  const { data, error, refetch } = useQuery(peopleQuery());
  return (
    <Part
      heading="People"
      note="Whoever signs in, in one library or several. A blocked person comes in nowhere; what they made stays."
    >
      <Problem error={error} onRetry={refetch} />
      {data && (
        <PlainTable label="People" columns={["Name", "E-mail", "Libraries", "Last here"]} hasActions>
          {data.data.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

function PersonRow({ person }: { person: Person }) {
  const { name, email, libraries, lastSeenAt, active, isOperator } = person;
  return (
    <tr>
      <th scope="row">
        {name}
        {isOperator && <span class="settings-mark mark good">Operator</span>}
        {!active && <span class="settings-mark mark">Blocked</span>}
      </th>
      <td data-label="E-mail">{email}</td>
      <td data-label="Libraries">
        {libraries.length === 0
          ? "None"
          : libraries.map((library) => `${library.name} (${library.role})`).join(", ")}
      </td>
      <td data-label="Last here">{lastSeenAt === null ? "Never" : ago(lastSeenAt)}</td>
      <td class="row-actions">
        {!isOperator && (
          <MenuButton
            label={`Sign-in of ${name}`}
            items={() => [{ name: active ? "Block…" : "Let in again", run: () => setActive(person) }]}
          />
        )}
      </td>
    </tr>
  );
}

async function setActive({ id, name, active }: Person): Promise<void> {
  const explanation =
    "Their sessions end at once, and their API keys and connected programs stop working. What they made stays.";
  if (active && !(await confirmFinal(`Block ${name}?`, `Block ${name}`, explanation))) return;
  await dataOf(api.PATCH("/app/people/{id}", { params: { path: { id } }, body: { active: !active } }));
  toast(active ? `${name} blocked` : `${name} may come in again`);
  readPeople();
}
