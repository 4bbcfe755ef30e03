import type { ExportLists, ExportSource, Plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = { readinessLimits: limitsOf };

/** What the library asks of its tracks in place of the limits of the rules. */
function* limitsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  yield* db.$client
    .query<Plain, [string]>(
      "SELECT profile, rule, value FROM readiness_limits WHERE owner_id = ?1 ORDER BY 1, 2",
    )
    .iterate(accountId);
}
