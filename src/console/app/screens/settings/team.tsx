/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../../api/library.ts";
import { useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Part, SettingsFrame } from "./frame.tsx";
import { Invitations } from "./team-invitations.tsx";
import { InviteDialog } from "./team-invite.tsx";
import { Happened } from "./team-log.tsx";
import { Members } from "./team-members.tsx";
import { HandOverDialog, leave } from "./team-owner.tsx";
import { type Team, teamQuery } from "./team-queries.ts";
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
          {isManaging && <Invitations />}
          {isManaging && <Happened />}
        </>
      )}
    </SettingsFrame>
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
