import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { membersBeside } from "../../../library/families/service.ts";
import { tagsOfTracks } from "../../../library/tags/service.ts";
import type { Filter } from "../filters/constraints.ts";
import type { Ranked } from "../ranking/rank.ts";
import { type Part, withPassages } from "../reference/part.ts";
import type { SearchHit } from "../shapes.ts";
import { hardReasons } from "./reasons.ts";
import { toSearchHit } from "./wire.ts";

/** What of a search says how its results are shown. */
type Asked = { ownerId: LibraryId; filter: Filter; onePerFamily?: boolean };

/** Returns the results of a search in their wire form, each with its likest part and its family, where the search asks for them. */
export function hitsOf(
  db: Db,
  { ownerId, filter, onePerFamily }: Asked,
  ranked: readonly Ranked[],
  part: Part | undefined,
): SearchHit[] {
  const rows = ranked.map(({ row }) => row);
  const hits = withPassages(db, ownerId, part, rows, toHits(db, ranked, filter));
  return onePerFamily ? withAlso(db, ownerId, hits) : hits;
}

/** Returns results in their wire form. */
function toHits(db: Db, ranked: readonly Ranked[], filter: Filter): SearchHit[] {
  const tags = tagsOfTracks(
    db,
    ranked.map(({ row }) => row.id),
  );
  return ranked.map((each) => {
    const reasons = [...new Set([...each.reasons, ...hardReasons(each.row, filter)])];
    return toSearchHit(each.row, tags.get(each.row.id) ?? [], { ...each, reasons });
  });
}

/** Adds the other members of its family to each result. */
function withAlso(db: Db, ownerId: LibraryId, hits: readonly SearchHit[]): SearchHit[] {
  const ids = hits.map(({ id }) => id);
  const members = membersBeside(db, ownerId, ids);
  return hits.map((hit) => {
    const also = members.get(hit.id) ?? [];
    return also.length > 0 ? { ...hit, also } : hit;
  });
}
