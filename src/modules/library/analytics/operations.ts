import { op } from "../../../http/operation.ts";
import { dashboard, entityStats, topEntities } from "./service.ts";
import { Dashboard, Stats, StatsQuery, Top, TopQuery } from "./shapes.ts";

const tag = "Analytics";

/** The activity on an account's tracks and playlists. */
export const analyticsOperations = [
  op({
    at: "GET /analytics/dashboard",
    id: "getDashboard",
    key: "read:analytics",
    tag,
    summary: "Get the week so far",
    description: "The calendar week, from Monday 00:00 UTC. The texts are null for an empty library.",
    answer: Dashboard,
    refusals: [],
    run: (deps, { actor }) => dashboard(deps, actor.accountId),
  }),
  op({
    at: "GET /analytics/stats",
    id: "getEntityStats",
    key: "read:analytics",
    rooms: true,
    input: { query: StatsQuery },
    tag,
    summary: "Count the activity on some tracks or playlists",
    description:
      "A day as a bound counts as a whole (UTC). Without bounds, all activity from 1970 until now counts.",
    answer: Stats,
    refusals: [],
    run: (deps, { actor, query }) => entityStats(deps, actor, query),
  }),
  op({
    at: "GET /analytics/top",
    id: "getTopEntities",
    key: "read:analytics",
    input: { query: TopQuery },
    tag,
    summary: "List the tracks or playlists with the most activity of one kind",
    description: "A day as a bound counts as a whole (UTC). Deleted tracks and playlists are left out.",
    answer: Top,
    refusals: [],
    run: (deps, { actor, query }) => topEntities(deps, actor.accountId, query),
  }),
];
