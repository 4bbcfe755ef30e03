/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { canSendMail } from "../../api/library.ts";
import { type AnswerOf, changed } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";
import { copy } from "../../share/copy.ts";
import { readEnds } from "../../share/ends.ts";
import { InviteForm } from "../../share/invite-form.tsx";
import { useMailNews } from "../../share/mail-news.ts";
import { MailWords } from "../../share/mail-told.tsx";
import { once } from "../../share/once.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field, SelectField, Switch } from "../../ui/field.tsx";
import { PlainTable } from "../../ui/plain-table.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { ROLES, type Room, type RoomRole } from "./cast-roles.ts";

type Cast = AnswerOf<"/app/playlists/{playlistId}/cast">["data"];
type Invited = Cast["invitations"][number];

/** Who is invited into a room and has not come. */
export function Invitations({ invitations }: { invitations: readonly Invited[] }) {
  const mails = invitations.flatMap(({ mail }) => mail ?? []);
  const hasMails = mails.length > 0;
  useMailNews(mails, () => changed("team", null));
  return (
    <PlainTable label="Invitations" columns={["E-mail", "Role", ...(hasMails ? ["Mail"] : [])]} hasActions>
      {invitations.map(({ id, email, role, mail }) => (
        <tr key={id}>
          <th scope="row">{email}</th>
          <td data-label="Role">{role === "artist" ? ROLES.artist : ROLES.listener}</td>
          {hasMails && (
            <td data-label="Mail">
              <MailWords mail={mail} />
            </td>
          )}
          <td class="row-actions">
            <Button look="quiet small" label={`New link for ${email}`} run={() => renew(id)}>
              New link
            </Button>
            {canSendMail() && (
              <Button
                look="quiet small"
                label={`Send a new link to ${email}`}
                run={() => sendAgain(id, email)}
              >
                Send
              </Button>
            )}
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

async function sendAgain(id: string, email: string): Promise<void> {
  const params = { path: { id }, query: { mail: true } };
  await dataOf(api.POST("/app/team/invitations/{id}/renew", { params }));
  changed("team", null);
  toast(`On its way to ${email}`);
}

async function withdraw(id: string, email: string): Promise<void> {
  await dataOf(api.DELETE("/app/team/invitations/{id}", { params: { path: { id } } }));
  changed("team", null);
  toast(`Invitation for ${email} withdrawn`);
}

/** @throws ApiError for a day that cannot be read. */
function readUntil(until: string): string | null {
  const end = readEnds(until);
  if (end !== undefined) return end;
  throw new ApiError(400, "validation_failed", "Invalid request", [
    { path: "until", code: "format", detail: "must be a future day" },
  ]);
}

/** Lets somebody in. Returns what shows them their way, if they have to be invited. */
async function letIn(room: Room, body: Body<"POST /app/playlists/{playlistId}/cast">) {
  const params = { path: { playlistId: room.id } };
  const { member, invitation } = await once({ ...params, ...body }, (headers) =>
    dataOf(api.POST("/app/playlists/{playlistId}/cast", { params, body, headers })),
  );
  changed("team", null);
  if (member) toast(`${member.person.name} is in ${room.name}`);
  if (!invitation) return undefined;
  return () => (body.mail ? toast(`On its way to ${invitation.email}`) : showLink(invitation));
}

/** Lets somebody into a room, by a link or by a mail. */
export function InviteDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const role = useSignal<RoomRole>("listener");
  const seesSplits = useSignal(false);
  const seesListening = useSignal(false);
  const until = useSignal("");
  const invite = async (email: string, mail: boolean) =>
    letIn(room, {
      email,
      role: role.value,
      seesSplits: seesSplits.value,
      seesListening: seesListening.value,
      until: readUntil(until.value),
      ...(mail && { mail }),
    });
  return (
    <InviteForm onClose={onClose} invite={invite}>
      {(wrong) => (
        <>
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
    </InviteForm>
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
