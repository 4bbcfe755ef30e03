/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Part } from "./frame.tsx";

const findingsQuery = () => query("/app/server/findings", {}, {});

/** What `doctor` finds, with the remedy in words. */
export function Health() {
  const { data, error, refetch, isFetching } = useQuery(findingsQuery());
  return (
    <Part
      heading="Health"
      tools={
        <Button look="secondary small" disabled={isFetching} run={refetch}>
          Look again
        </Button>
      }
    >
      <Problem error={error} onRetry={refetch} />
      {data && (
        <ul class="server-findings" aria-label="Findings">
          {data.data.findings.map(({ check, ok, found, remedy }) => (
            <li key={check}>
              <span class={`server-mark mark ${ok ? "good" : "warn"}`}>{ok ? "Good" : "To do"}</span>
              <span class="server-finding">
                <strong>{check}</strong>
                <span>{found}</span>
                {remedy !== null && <span class="soft">{remedy}.</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
