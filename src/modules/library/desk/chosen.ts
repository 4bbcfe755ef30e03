import type { LibraryId } from "../../../../db/schema.ts";
import type { Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Where } from "./bulk/shapes.ts";
import { selectIds } from "./table/queries.ts";
import { readTrackFilter, sortFor } from "./track-filter.ts";

/**
 * Returns the ids of the tracks that a request chose, each once. Ids that it named itself may be of no track of the account.
 *
 * @throws DomainError `validation_failed` for a filter that cannot be read.
 */
export function chosenIds(
  { db }: Pick<Deps, "db">,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  where: Where,
): string[] {
  if ("ids" in where) return [...new Set(where.ids)];
  const { filter, sort = "-created_at", except = [] } = where;
  const excepted = new Set(except);
  return selectIds(db, ownerId, sortFor(viewer, sort), readTrackFilter(db, ownerId, filter)).filter(
    (id) => !excepted.has(id),
  );
}
