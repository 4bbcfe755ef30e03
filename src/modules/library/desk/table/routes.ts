import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { Mark, MarksQuery, TablePaging, TableQuery, TableRow } from "./shapes.ts";
import { listMarks, listTable } from "./table.ts";

/** `/app/tracks`: the library as the console's table shows it. */
export const tableRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/tracks" })
    .use(guard)
    .get("/marks", ({ actor, query }) => ok(listMarks(deps, actor.accountId, query)), {
      session: true,
      query: MarksQuery,
      detail: describe({
        operationId: "listMarks",
        tag: "App",
        summary: "List where each letter or month of the table begins",
        description: "For a table sorted by name or by the date of upload; empty for another order.",
        answer: Type.Array(Mark),
        refusals: [],
      }),
    })
    .get(
      "",
      ({ actor, query }) => {
        const { rows, paging } = listTable(deps, actor.accountId, query);
        return ok(rows, { paging });
      },
      {
        session: true,
        query: TableQuery,
        detail: describe({
          operationId: "listTable",
          tag: "App",
          summary: "List your tracks as rows of a table",
          description:
            "Page with `paging.next_cursor`; a `position` jumps anywhere. A cursor works only with the same sort and filters.",
          answer: Type.Array(TableRow),
          siblings: { paging: TablePaging },
          refusals: [],
        }),
      },
    );
