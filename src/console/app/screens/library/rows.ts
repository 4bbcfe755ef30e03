import { ROWS_PER_PAGE, rowsQuery } from "../../../shared/addresses.ts";
import type { paths } from "../../api/types.ts";
import { type Rows, rowsOf } from "../../ui/table/rows.ts";

type Answer = paths["/app/tracks"]["get"]["responses"][200]["content"]["application/json"];

/** A row of the Library. */
export type TrackRow = Answer["data"][number];

/** Returns the rows that an address of the Library shows. */
export function libraryRows(search: URLSearchParams): Rows<TrackRow> {
  return rowsOf<TrackRow>({
    urlAt: (position) => `/app/tracks?${rowsQuery(search, position)}`,
    size: ROWS_PER_PAGE,
    topics: ["tracks", "versions", "analysis", "tags", "activity"],
  });
}
