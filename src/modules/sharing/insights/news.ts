import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MINUTE_MS, toIso } from "../../../kernel/time.ts";
import { countActivity } from "../../library/analytics/service.ts";
import { reachOf } from "../shares/service.ts";
import * as queries from "./news-queries.ts";
import type { News, NoteVisit } from "./news-shapes.ts";

type NewsDeps = Pick<Deps, "db" | "now" | "settings">;

/** An owner who comes back sooner continues the same visit. */
const SAME_VISIT_MS = 30 * MINUTE_MS;
const MAX_PEOPLE = 3;

/** Notes a person's visit to the console. What happened since the visit before is news. */
export function noteVisit(deps: NewsDeps, visitor: queries.Visitor, { seen = false }: NoteVisit): News {
  const at = deps.now();
  transact(deps.db, (tx) => {
    const before = queries.findVisit(tx, visitor);
    const isSame = before !== undefined && at - before.lastAt < SAME_VISIT_MS;
    const since = isSame ? before.since : (before?.lastAt ?? null);
    queries.writeVisit(tx, visitor, { since: seen ? at : since, lastAt: at });
  });
  return getNews(deps, visitor);
}

/** Returns what others did with an account's music since a person's last visit. Before the second visit nothing is news. */
export function getNews(deps: NewsDeps, visitor: queries.Visitor): News {
  const { db } = deps;
  const { accountId } = visitor;
  const since = queries.findVisit(db, visitor)?.since ?? null;
  const nothing = { plays: 0, downloads: 0, comments: 0, submissions: 0, people: [], peopleCount: 0 };
  if (since === null) return { since: null, ...nothing };
  const span = { from: since + 1, to: Number.MAX_SAFE_INTEGER };
  const { plays = 0, downloads = 0, comments = 0 } = countActivity(db, accountId, span);
  const { people, peopleCount } = reachOf(deps, accountId, span, MAX_PEOPLE);
  return {
    since: toIso(since),
    plays,
    downloads,
    comments,
    submissions: queries.countSubmissions(db, accountId, since),
    people: people.map(({ name, shareIds, plays: times }) => ({ name, shareIds, plays: times })),
    peopleCount,
  };
}
