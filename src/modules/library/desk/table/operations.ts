import { Type } from "@sinclair/typebox";
import { op } from "../../../../http/operation.ts";
import { Mark, MarksQuery, TablePaging, TableQuery, TableRow } from "./shapes.ts";
import { listMarks, listTable } from "./table.ts";

const tag = "Tracks";

/** The library as the console's table shows it. */
export const tableOperations = [
  op({
    at: "GET /tracks",
    id: "listTable",
    session: "read:tracks",
    input: { query: TableQuery },
    tag,
    summary: "List your tracks as rows of a table",
    description:
      "Page with `paging.next_cursor`; a `position` jumps anywhere. A cursor works only with the same sort and filters.",
    answer: Type.Array(TableRow),
    siblings: { paging: TablePaging },
    refusals: [],
    run: (deps, { actor, query }) => listTable(deps, actor, query),
  }),
  op({
    at: "GET /tracks/marks",
    id: "listMarks",
    session: "read:tracks",
    input: { query: MarksQuery },
    tag,
    summary: "List where each letter or month of the table begins",
    description: "For a table sorted by name or by the date of upload; empty for another order.",
    answer: Type.Array(Mark),
    refusals: [],
    run: (deps, { actor, query }) => listMarks(deps, actor.accountId, query),
  }),
];
