import { type AnswerOf, query } from "../../api/queries.ts";

export type Team = AnswerOf<"/app/team">["data"];
export type Member = Team["members"][number];

export const teamQuery = () => query("/app/team", {}, {});
