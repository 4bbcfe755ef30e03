import { op } from "../../../http/operation.ts";
import { Team } from "./shapes.ts";
import { getTeam } from "./team.ts";

/** Who is in the library. */
export const teamOperations = [
  op({
    at: "GET /team",
    id: "getTeam",
    session: "member",
    rooms: true,
    isSecret: true,
    tag: "Sign-in",
    summary: "Get the people in this library",
    description:
      "The owner comes first. Addresses, and when somebody was last here, need `manage:team`. Guests see themselves.",
    answer: Team,
    refusals: [],
    run: (deps, { actor }) => getTeam(deps, actor),
  }),
];
