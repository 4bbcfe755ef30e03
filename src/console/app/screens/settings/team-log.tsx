/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
import { place } from "../../router.ts";
import { ago, wholeTime } from "../../ui/dates.ts";
import { Older } from "../../ui/older.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Part } from "./frame.tsx";

const PAGE = 50;

/** What people did to the library and the team, newest first. */
export function Happened() {
  const cursor = place.value.search.get("cursor");
  const asked = query(
    "/app/team/log",
    { query: { limit: PAGE, ...(cursor !== null && { cursor }) } },
    { team: "all" },
  );
  const { data, error, refetch } = useQuery(asked);
  return (
    <Part heading="What happened">
      <Problem error={error} onRetry={refetch} />
      {data?.data.length === 0 && <p class="soft">Nothing yet.</p>}
      {data && data.data.length > 0 && (
        <ul class="team-log" aria-label="What happened">
          {data.data.map(({ id, at, sentence }) => (
            <li key={id}>
              <span>{sentence}</span>
              <span class="soft" title={wholeTime(at)}>
                {ago(at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Older cursor={data?.paging.next_cursor}>Older</Older>
    </Part>
  );
}
