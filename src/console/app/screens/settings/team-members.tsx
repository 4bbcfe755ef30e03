/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../../api/library.ts";
import { ago, day, utcDay, wholeTime } from "../../ui/dates.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { ROLE_WORDS, seesEverything } from "./roles.ts";
import { Letter } from "./team-letter.tsx";
import type { Member, Team } from "./team-queries.ts";
import { askRemoval } from "./team-removal.tsx";
import { RoleDialog } from "./team-role.tsx";

/** Who is in the library. When somebody was last here is for those who manage the team. */
export function Members({ team: { members } }: { team: Team }) {
  const isManaging = can("manage:team");
  return (
    <PlainTable
      label="Members"
      columns={["Name", "Role", "Also sees", "Since", ...(isManaging ? ["Last seen"] : [])]}
      hasActions={isManaging}
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} isManaging={isManaging} />
      ))}
    </PlainTable>
  );
}

function MemberRow({ member, isManaging }: { member: Member; isManaging: boolean }) {
  const { person, role, reach, joinedAt, until, lastSeenAt, isYou } = member;
  return (
    <tr>
      <th scope="row">
        <div class="team-person">
          <Letter person={person} />
          <div>
            <span>
              {person.name}
              {isYou && <span class="settings-mark mark good">You</span>}
            </span>
            {person.email !== null && <span class="soft team-email">{person.email}</span>}
          </div>
        </div>
      </th>
      <td data-label="Role">{reach === "rooms" ? "Guest" : ROLE_WORDS[role].name}</td>
      <td data-label="Also sees">{alsoSees(member)}</td>
      <td data-label="Since">
        {day(joinedAt)}
        {until !== null && <span class="team-until">Until {utcDay(until)}</span>}
      </td>
      {isManaging && (
        <td data-label="Last seen">
          {lastSeenAt === null ? "Never" : <span title={wholeTime(lastSeenAt)}>{ago(lastSeenAt)}</span>}
        </td>
      )}
      {isManaging && (
        <td class="row-actions">
          {mayChange(member) && (
            <MenuButton label={`More actions for ${person.name}`} items={() => actionsOf(member)} />
          )}
        </td>
      )}
    </tr>
  );
}

/** What somebody sees that their role does not show to everybody. */
export function alsoSees({
  role,
  reach,
  seesSplits,
  seesListening,
}: Pick<Member, "role" | "reach" | "seesSplits" | "seesListening">) {
  if (reach === "rooms") return "Only the playlists they are in";
  if (seesEverything(role)) return "Splits, who listened";
  const seen = [...(seesSplits ? ["splits"] : []), ...(seesListening ? ["who listened"] : [])].join(", ");
  return seen === "" ? "Nothing" : seen.charAt(0).toUpperCase() + seen.slice(1);
}

/** Managers are the owner's to change; nobody changes their own role. */
const mayChange = ({ role, isYou }: Member): boolean =>
  !isYou && role !== "owner" && (role !== "manager" || can("own:library"));

const actionsOf = (member: Member) => [
  {
    name: "Change role…",
    run: () => showDialog((close) => <RoleDialog member={member} onClose={close} />),
  },
  { name: "Remove…", isDanger: true, run: () => askRemoval(member) },
];
