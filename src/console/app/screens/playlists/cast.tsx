/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_EMAIL } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { type AnswerOf, changed, query, useQuery } from "../../api/queries.ts";
import type { Card } from "../../playlists/types.ts";
import { copy } from "../../share/copy.ts";
import { readEnds } from "../../share/ends.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { confirmFinal, Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field, SelectField, Switch } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";

type Cast = AnswerOf<"/app/playlists/{playlistId}/cast">["data"];
type Guest = Cast["members"][number];
type Invited = Cast["invitations"][number];
type Room = Pick<Card, "id" | "name">;

const castQuery = (playlistId: string) =>
  query("/app/playlists/{playlistId}/cast", { path: { playlistId } }, { team: "all" });

const ROLES = { artist: "Artist", listener: "Listener" } as const;
type RoomRole = keyof typeof ROLES;

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

function Invitations({ invitations }: { invitations: readonly Invited[] }) {
  return (
    <PlainTable label="Invitations" columns={["E-mail", "Role"]} hasActions>
      {invitations.map(({ id, email, role }) => (
        <tr key={id}>
          <th scope="row">{email}</th>
          <td data-label="Role">{role === "artist" ? ROLES.artist : ROLES.listener}</td>
          <td class="row-actions">
            <Button look="quiet small" label={`New link for ${email}`} run={() => renew(id)}>
              New link
            </Button>
            <Button
              look="quiet small"
              label={`Withdraw invitation for ${email}`}
              run={() => withdraw(id, email)}
            >
              Withdraw
            </Button>
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

async function renew(id: string): Promise<void> {
  showLink(await dataOf(api.POST("/app/team/invitations/{id}/renew", { params: { path: { id } } })));
  changed("team", null);
}

async function withdraw(id: string, email: string): Promise<void> {
  await dataOf(api.DELETE("/app/team/invitations/{id}", { params: { path: { id } } }));
  changed("team", null);
  toast(`Invitation for ${email} withdrawn`);
}

function InviteDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const email = useSignal("");
  const role = useSignal<RoomRole>("listener");
  const seesSplits = useSignal(false);
  const seesListening = useSignal(false);
  const until = useSignal("");
  const send = async () => {
    const end = readEnds(until.value);
    if (end === undefined)
      throw new ApiError(400, "validation_failed", "Invalid request", [
        { path: "until", code: "format", detail: "must be a future day" },
      ]);
    const { member, invitation } = await dataOf(
      api.POST("/app/playlists/{playlistId}/cast", {
        params: { path: { playlistId: room.id } },
        body: {
          email: email.value,
          role: role.value,
          seesSplits: seesSplits.value,
          seesListening: seesListening.value,
          until: end,
        },
      }),
    );
    changed("team", null);
    if (member) toast(`${member.person.name} is in ${room.name}`);
    return () => invitation && showLink(invitation);
  };
  return (
    <FormDialog label="Invite someone" verb="Create link" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <Field
            label="E-mail"
            type="email"
            autofocus
            required
            maxLength={MAX_EMAIL}
            error={wrong.email}
            {...typed(email)}
          />
          <SelectField
            label="Role"
            value={role.value}
            onChange={(value) => {
              role.value = value === "artist" ? "artist" : "listener";
            }}
            options={Object.entries(ROLES).map(([value, name]) => ({ value, name }))}
          />
          <p class="soft">
            {role.value === "artist"
              ? "Listens, comments, gets original files and sends versions in."
              : "Listens and comments. Gets no original files."}
          </p>
          <Switch
            label="Sees splits"
            isOn={seesSplits.value}
            onChange={(isOn) => {
              seesSplits.value = isOn;
            }}
          />
          <Switch
            label="Sees who listened"
            isOn={seesListening.value}
            onChange={(isOn) => {
              seesListening.value = isOn;
            }}
          />
          <Field
            label="Until"
            hint="A day such as 24 December 2027. Leave it empty for no end."
            error={wrong.until}
            {...typed(until)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Shows the link of an invitation, which is shown only now. */
function showLink({ email, url }: { email: string; url: string }): void {
  showDialog((close) => (
    <Dialog label={`Link for ${email}`} onClose={close}>
      <div class="form">
        <p class="soft">Send it to {email} yourself. It works once, for that address, within 7 days.</p>
        <Field label="Link" readOnly value={url} />
        <div class="dialog-actions">
          <Button look="secondary small" run={() => copy(url, "Link copied")}>
            Copy
          </Button>
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}
