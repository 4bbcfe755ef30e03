/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import type { AnswerOf } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { counted } from "../../ui/numbers.ts";
import { toast } from "../../ui/toast.tsx";
import { type Member, readTeam } from "./team-queries.ts";

/** What ends with somebody's membership. */
type Access = AnswerOf<"/app/team/members/{id}/access">["data"];

/** Asks whether to remove somebody, and says first what ends with that. */
export async function askRemoval(member: Member): Promise<void> {
  const params = { path: { id: member.id } };
  const access = await dataOf(api.GET("/app/team/members/{id}/access", { params }));
  showDialog((close) => <RemovalDialog member={member} access={access} onClose={close} />);
}

type RemovalProps = { member: Member; access: Access; onClose: () => void };

function RemovalDialog({ member: { id, person }, access, onClose }: RemovalProps) {
  const { name } = person;
  const kept = useSignal<readonly string[]>([]);
  const keep = (keyId: string, isKept: boolean) => {
    const others = kept.value.filter((each) => each !== keyId);
    kept.value = isKept ? [...others, keyId] : others;
  };
  const remove = async () => {
    const params = { path: { id } };
    await dataOf(api.DELETE("/app/team/members/{id}", { params, body: { keepKeys: [...kept.value] } }));
    onClose();
    toast(`${name} removed`);
    readTeam();
  };
  return (
    <Dialog label={`Remove ${name}?`} role="alertdialog" onClose={onClose}>
      <div class="form">
        <p class="soft">
          {name} loses access at once. {alsoEnds(access)}Tracks, comments and links that {name} made stay.
        </p>
        {access.keys
          .filter(({ canKeep }) => canKeep)
          .map((key) => (
            <Switch
              key={key.id}
              label={`Keep ${key.name} working under my name`}
              isOn={kept.value.includes(key.id)}
              onChange={(isKept) => keep(key.id, isKept)}
            />
          ))}
        <div class="dialog-actions">
          <Button look="quiet" run={onClose}>
            Cancel
          </Button>
          <Button look="danger" run={remove}>
            Remove {name}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Returns a sentence such as "Also ends: 2 API keys (NAS, Zapier), 1 upload. "; empty when nothing does. */
export function alsoEnds({ keys, programs, players, uploads, invitations }: Access): string {
  const named = keys.map(({ name }) => name).join(", ");
  const ends = [
    ...(keys.length > 0 ? [`${counted(keys.length, "API key")} (${named})`] : []),
    ...(programs > 0 ? [counted(programs, "connected program")] : []),
    ...(players > 0 ? [counted(players, "music app")] : []),
    ...(uploads > 0 ? [counted(uploads, "upload")] : []),
    ...(invitations > 0 ? [counted(invitations, "invitation")] : []),
  ];
  return ends.length > 0 ? `Also ends: ${ends.join(", ")}. ` : "";
}
