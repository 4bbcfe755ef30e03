/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { type AnswerOf, changed, query, queryClient, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { place } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { Older } from "../../ui/older.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import "./intakes.css";

type Intake = AnswerOf<"/app/intakes">["data"][number];

const intakesOf = (cursor: string | null) =>
  query("/app/intakes", { query: { limit: 25, ...(cursor !== null && { cursor }) } }, {});

const WAYS: Readonly<Record<Intake["kind"], string>> = {
  watch: "watched folder",
  send: "sent",
  import: "imported",
};

/** What folders brought into the library, newest first; each line can be undone. Shows nothing until there is some. */
export function Intakes() {
  const cursor = place.value.search.get("cursor");
  const { data, error, refetch } = useQuery(intakesOf(cursor));
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data || (data.data.length === 0 && cursor === null)) return null;
  return (
    <section class="intakes" aria-labelledby="intakes-heading">
      <h2 id="intakes-heading">From folders</h2>
      <ul aria-labelledby="intakes-heading">
        {data.data.map((intake) => (
          <IntakeLine key={intake.id} intake={intake} />
        ))}
      </ul>
      <Older cursor={data.paging.next_cursor}>Older files</Older>
    </section>
  );
}

function IntakeLine({ intake }: { intake: Intake }) {
  const { path, kind, source, takenAt, trackId, title, outcome, label, undoneAt } = intake;
  const as = outcome === "version" ? `new version${label === null ? "" : ` ${label}`} of ` : "new track ";
  const isUndone = undoneAt !== null;
  return (
    <li class={isUndone ? "intake undone" : "intake"}>
      <div class="intake-text">
        <p class="intake-path" title={`${source}/${path}`}>
          {path}
        </p>
        <p class="soft">
          {as}
          {title === null ? "a deleted track" : <a href={href(`/library/tracks/${trackId}`)}>{title}</a>}
          <span title={wholeTime(takenAt)}>{`, ${WAYS[kind]}, ${ago(takenAt)}`}</span>
        </p>
      </div>
      {isUndone ? (
        <span class="soft">Undone</span>
      ) : (
        title !== null &&
        can("update:tracks") && (
          <Button look="secondary small" label={`Undo ${path}`} run={() => undo(intake)}>
            Undo
          </Button>
        )
      )}
    </li>
  );
}

async function undo({ id, path, trackId }: Intake): Promise<void> {
  try {
    await dataOf(api.POST("/app/intakes/{intakeId}/undo", { params: { path: { intakeId: id } } }));
    toast(`${path} undone`);
    changed("versions", [trackId]);
    changed("tracks", [trackId]);
  } finally {
    const isOfIntakes = (key: unknown) => String(key).startsWith("/app/intakes");
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfIntakes(queryKey[0]) });
  }
}
