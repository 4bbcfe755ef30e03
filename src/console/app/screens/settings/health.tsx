/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
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
        <button
          type="button"
          class="button secondary small"
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          Look again
        </button>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <ul class="server-findings" aria-label="Findings">
          {data.data.findings.map(({ check, ok, found, remedy }) => (
            <li key={check}>
              <span class={ok ? "server-mark" : "server-mark server-mark-bad"}>{ok ? "Good" : "To do"}</span>
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
