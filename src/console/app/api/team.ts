import { type AnswerOf, query, queryClient, useQuery } from "./queries.ts";

const teamQuery = query("/app/team", {}, { team: "all" });
type Team = AnswerOf<"/app/team">["data"];

/** Returns the people in the library; undefined until they are known, and for somebody who is alone in it. */
export function useTeam(): Team | undefined {
  return several(useQuery(teamQuery).data?.data);
}

/** Returns the name of whoever made a thing, where the library has several people. */
export function useMaker(by: { name: string } | null): string | undefined {
  const team = useTeam();
  return team && by ? by.name : undefined;
}

/** As {@link useTeam}, for code that shows nothing. */
export async function readTeam(): Promise<Team | undefined> {
  return several((await queryClient.fetchQuery(teamQuery)).data);
}

const several = (team: Team | undefined) => (team && team.members.length > 1 ? team : undefined);
