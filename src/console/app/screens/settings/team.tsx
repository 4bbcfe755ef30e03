/** @jsxRuntime automatic @jsxImportSource preact */
import { useQuery } from "../../api/queries.ts";
import { Problem } from "../../ui/problem.tsx";
import { Part, SettingsFrame } from "./frame.tsx";
import { Members } from "./team-members.tsx";
import { type Team, teamQuery } from "./team-queries.ts";
import "./team.css";

/** Who is in the library. */
export default function TeamScreen() {
  const { data, error, refetch } = useQuery(teamQuery());
  return (
    <SettingsFrame heading="Team">
      <Problem error={error} onRetry={refetch} />
      {data && (
        <Part heading="Members" note={peopleIn(data.data)}>
          <Members team={data.data} />
        </Part>
      )}
    </SettingsFrame>
  );
}

const peopleIn = ({ library, members: { length } }: Team) =>
  length === 1 ? `You are alone in ${library.name}.` : `${length} people are in ${library.name}.`;
