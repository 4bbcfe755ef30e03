/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_NAME } from "../../../../modules/people/people/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { can, library } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { Part, SettingsForm, SettingsFrame } from "./frame.tsx";
import { Invitations } from "./team-invitations.tsx";
import { InviteDialog } from "./team-invite.tsx";
import { Happened } from "./team-log.tsx";
import { Members } from "./team-members.tsx";
import { HandOverDialog, leave } from "./team-owner.tsx";
import { readTeam, type Team, teamQuery } from "./team-queries.ts";
import "./team.css";

/** Who is in the library, who is invited, and what happened. */
export default function TeamScreen() {
  const { data, error, refetch } = useQuery(teamQuery());
  const isManaging = can("manage:team");
  return (
    <SettingsFrame heading="Team">
      <Problem error={error} onRetry={refetch} />
      {data && (
        <>
          <Part heading="Members" note={peopleIn(data.data)} tools={isManaging && <InviteButton />}>
            <Members team={data.data} />
            <Ways team={data.data} />
          </Part>
          {can("manage:library") && <NameForm key={data.data.library.name} name={data.data.library.name} />}
          {isManaging && <Invitations />}
          {isManaging && <Happened />}
        </>
      )}
    </SettingsFrame>
  );
}

/** What the library is called, for everybody in it. */
function NameForm({ name }: { name: string }) {
  const typedName = useSignal(name);
  const save = async () => {
    const renamed = await dataOf(api.PATCH("/app/library", { body: { name: typedName.value } }));
    library.value = { ...library.value, name: renamed.name };
    readTeam();
    toast("Saved");
  };
  return (
    <Part heading="Name of the library">
      <SettingsForm send={save}>
        {(wrong) => (
          <Field label="Name" required maxLength={MAX_NAME} error={wrong.name} {...typed(typedName)} />
        )}
      </SettingsForm>
    </Part>
  );
}

const peopleIn = ({ library, members: { length } }: Team) =>
  length === 1 ? `You are alone in ${library.name}.` : `${length} people are in ${library.name}.`;

const InviteButton = () => (
  <Button look="small" run={() => showDialog((close) => <InviteDialog onClose={close} />)}>
    Invite someone
  </Button>
);

/** The ways out: for the owner only by way of somebody else. */
function Ways({ team }: { team: Team }) {
  const others = team.members.filter(({ isYou }) => !isYou);
  const handOver = () => showDialog((close) => <HandOverDialog others={others} onClose={close} />);
  if (team.me.role === "owner" && others.length === 0) return null;
  return (
    <div class="buttons">
      {team.me.role === "owner" ? (
        <Button look="secondary small" run={handOver}>
          Hand over the library…
        </Button>
      ) : (
        <Button look="secondary small" run={() => leave(team.library)}>
          Leave {team.library.name}
        </Button>
      )}
    </div>
  );
}
