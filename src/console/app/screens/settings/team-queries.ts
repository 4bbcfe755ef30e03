import { type AnswerOf, query, queryClient } from "../../api/queries.ts";

export type Team = AnswerOf<"/app/team">["data"];
export type Member = Team["members"][number];
export type Invitation = AnswerOf<"/app/team/invitations">["data"][number];

export const teamQuery = () => query("/app/team", {}, { team: "all" });
export const invitationsQuery = () => query("/app/team/invitations", {}, { team: "all" });

/** Reads everything again that the screen shows of the team. */
export function readTeam(): void {
  const isOfTeam = (key: unknown) => String(key).startsWith("/app/team");
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfTeam(queryKey[0]) });
}
