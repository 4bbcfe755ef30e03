/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, changed, query, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { confirmFinal, Dialog, showDialog } from "../../ui/dialog.tsx";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Invitations, InviteDialog } from "./cast-invite.tsx";
import { ROLES, type Room, type RoomRole } from "./cast-roles.ts";

type Cast = AnswerOf<"/app/playlists/{playlistId}/cast">["data"];
type Guest = Cast["members"][number];

const castQuery = (playlistId: string) =>
  query("/app/playlists/{playlistId}/cast", { path: { playlistId } }, { team: "all" });

/** Opens the list of those who see a playlist and nothing else of the library. */
export function openCast(room: Room): void {
  showDialog((close) => <CastDialog room={room} onClose={close} />);
}

function CastDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const { data, error, refetch } = useQuery(castQuery(room.id));
  const cast = data?.data;
  const isEmpty = cast?.members.length === 0 && cast.invitations.length === 0;
  return (
    <Dialog label={`People in ${room.name}`} onClose={onClose}>
      <div class="form">
        <p class="soft">
          Guests see this playlist, its tracks with every version and comment, and nothing else of the
          library.
        </p>
        <Problem error={error} onRetry={refetch} />
        {isEmpty && <p>Nobody is in this room yet.</p>}
        {cast && cast.members.length > 0 && <Guests room={room} members={cast.members} />}
        {cast && cast.invitations.length > 0 && <Invitations invitations={cast.invitations} />}
        <div class="dialog-actions">
          <Button
            look="secondary"
            run={() => showDialog((close) => <InviteDialog room={room} onClose={close} />)}
          >
            Invite someone
          </Button>
          <Button run={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}

function Guests({ room, members }: { room: Room; members: readonly Guest[] }) {
  return (
    <PlainTable label="Guests" columns={["Name", "Role", "Also sees", "Until"]} hasActions>
      {members.map((guest) => (
        <tr key={guest.id}>
          <th scope="row">
            {guest.person.name}
            <span class="soft cast-email">{guest.person.email}</span>
          </th>
          <td data-label="Role">{ROLES[guest.role]}</td>
          <td data-label="Also sees">{alsoSees(guest)}</td>
          <td data-label="Until">{guest.until === null ? "No end" : day(guest.until)}</td>
          <td class="row-actions">
            <MenuButton label={`More actions for ${guest.person.name}`} items={() => menuOf(room, guest)} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function alsoSees({ seesSplits, seesListening }: Guest): string {
  if (seesSplits && seesListening) return "Splits, who listened";
  if (seesSplits) return "Splits";
  return seesListening ? "Who listened" : "Nothing";
}

function menuOf(room: Room, guest: Guest): MenuItem[] {
  const { role, seesSplits, seesListening } = guest;
  const other: RoomRole = role === "artist" ? "listener" : "artist";
  return [
    { name: `Make ${ROLES[other].toLowerCase()}`, run: () => change(room, guest, { role: other }) },
    {
      name: seesSplits ? "Hide splits" : "Show splits",
      run: () => change(room, guest, { seesSplits: !seesSplits }),
    },
    {
      name: seesListening ? "Hide who listened" : "Show who listened",
      run: () => change(room, guest, { seesListening: !seesListening }),
    },
    null,
    { name: "Remove…", isDanger: true, run: () => remove(room, guest) },
  ];
}

const pathTo = (room: Room, { id }: Guest) => ({ params: { path: { playlistId: room.id, memberId: id } } });

type Change = Partial<Pick<Guest, "role" | "seesSplits" | "seesListening">>;

async function change(room: Room, guest: Guest, body: Change): Promise<void> {
  await dataOf(api.PATCH("/app/playlists/{playlistId}/cast/{memberId}", { ...pathTo(room, guest), body }));
  changed("team", null);
}

async function remove(room: Room, guest: Guest): Promise<void> {
  const { name } = guest.person;
  const why = `${name} loses this playlist at once. What ${name} sent and said stays.`;
  if (!(await confirmFinal(`Remove ${name} from ${room.name}?`, `Remove ${name}`, why))) return;
  await dataOf(api.DELETE("/app/playlists/{playlistId}/cast/{memberId}", pathTo(room, guest)));
  changed("team", null);
  toast(`${name} removed`);
}
