import { asc, eq, or } from "drizzle-orm";
import { briefRequests, briefSubmissions, briefs } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";

export const lists: ExportLists = {
  briefs: briefsOf,
  submissions: submissionsOf,
};

function* briefsOf({ db, accountId, settings }: ExportSource): Iterable<Plain> {
  const linkOf = (token: string) => `${publicUrlOf(settings)}/submit/${token}`;
  const own = db.select().from(briefs).where(eq(briefs.ownerId, accountId)).orderBy(asc(briefs.id));
  for (const row of own.all()) {
    const requests = db.select().from(briefRequests).where(eq(briefRequests.briefId, row.id));
    yield {
      ...plain(row, ["token"]),
      url: linkOf(row.token),
      requests: requests.all().map((request) => ({
        ...plain(request, ["token", "briefId"]),
        link: linkOf(request.token),
      })),
    };
  }
}

/** What the account's briefs received, and what the account sent to briefs of others. */
function submissionsOf({ db, accountId }: ExportSource): Plain[] {
  const rows = db
    .select({ submission: briefSubmissions, briefName: briefs.name, ownerId: briefs.ownerId })
    .from(briefSubmissions)
    .innerJoin(briefs, eq(briefs.id, briefSubmissions.briefId))
    .where(or(eq(briefs.ownerId, accountId), eq(briefSubmissions.submitterAccountId, accountId)))
    .orderBy(asc(briefSubmissions.id))
    .all();
  return rows.map(({ submission, briefName, ownerId }) => ({
    ...plain(submission, ["submitterHash"]),
    briefName,
    direction: ownerId === accountId ? "received" : "sent",
  }));
}
