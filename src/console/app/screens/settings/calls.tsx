/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient, useQuery } from "../../api/queries.ts";
import { useMaker } from "../../api/team.ts";
import { place, setSearch } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { Empty } from "../../ui/empty.tsx";
import { Switch } from "../../ui/field.tsx";
import { Older } from "../../ui/older.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Call, Sentence, thingOf } from "./calls-sentence.tsx";
import { Fact } from "./frame.tsx";
import "./settings.css";
import { CALLS_KEPT_DAYS } from "../../../../modules/outward/assistant/shapes.ts";

const callsOf = (isAll: boolean, cursor: string | null) =>
  query(
    "/app/assistant/calls",
    { query: { limit: 50, ...(!isAll && { changed: true }), ...(cursor !== null && { cursor }) } },
    {},
  );

/** What assistants did in the library, newest first; what can be taken back has a button for it. */
export default function AssistantCallsScreen() {
  const { search } = place.value;
  const isAll = search.get("all") === "true";
  const { data, error, refetch } = useQuery(callsOf(isAll, search.get("cursor")));
  return (
    <Screen heading="What assistants did">
      <div class="settings-parts">
        <p class="soft">
          What assistants {isAll ? "did" : "changed"} in the last {CALLS_KEPT_DAYS} days, newest first. You
          can take a recent change back until the same thing is changed again.
        </p>
        <Switch
          label="Show calls that changed nothing too"
          isOn={isAll}
          onChange={(isOn) => setSearch({ all: isOn ? "true" : "", cursor: "" })}
        />
        <Problem error={error} onRetry={refetch} />
        {data && data.data.length === 0 && (
          <Empty heading={isAll ? "No calls yet" : "No assistant has changed anything yet"} />
        )}
        <ul class="calls" aria-label="Calls">
          {(data?.data ?? []).map((call) => (
            <CallItem key={call.id} call={call} />
          ))}
        </ul>
        <Older cursor={data?.paging.next_cursor}>Older calls</Older>
      </div>
    </Screen>
  );
}

function CallItem({ call }: { call: Call }) {
  const { at, tool, by, madeBy, outcome, dryRun, changes, undoUntil, undoneAt } = call;
  const maker = useMaker(madeBy);
  const picture = call.track ?? (call.playlist && { id: call.playlist.id, cover: call.playlist.image });
  // An argument whose value shows as a change says nothing more.
  const changed = new Map(changes.map(({ path, after }) => [path, shown(after)]));
  const others = Object.entries(call.arguments).filter(
    ([name, value]) => name !== "dryRun" && changed.get(name) !== shown(value),
  );
  return (
    <li class="call">
      <header class="call-head">
        {picture && <CoverPicture seed={picture.id} cover={picture.cover} />}
        <div class="call-words">
          <h2>
            <Sentence call={call} />
          </h2>
          <p class="call-marks">
            {dryRun && <span class="settings-mark mark good">Preview</span>}
            {outcome !== "ok" && <span class="call-refused">Refused</span>}
            {undoneAt !== null && (
              <span class="settings-mark mark good" title={wholeTime(undoneAt)}>
                Taken back
              </span>
            )}
            <span class="soft" title={wholeTime(at)}>
              {[maker && `For ${maker}`, ago(at)].filter(Boolean).join(", ")}
            </span>
          </p>
        </div>
        {undoUntil !== null && undoneAt === null && (
          <Button look="secondary small" run={() => takeBack(call)}>
            Take back
          </Button>
        )}
      </header>
      <details>
        <summary>Details</summary>
        <dl class="settings-facts">
          <Fact name="Tool">{tool}</Fact>
          <Fact name="Key or program">{by.name ?? "Deleted"}</Fact>
          {by.client !== "" && <Fact name="Client">{by.client}</Fact>}
          {outcome !== "ok" && <Fact name="Refused">{outcome}</Fact>}
          {others.map(([name, value]) => (
            <Fact key={name} name={name}>
              {shown(value)}
            </Fact>
          ))}
          {changes.map(({ path, before, after }) => (
            <Fact key={`change ${path}`} name={path}>
              <del>{shown(before)}</del> → <ins>{shown(after)}</ins>
            </Fact>
          ))}
        </dl>
      </details>
    </li>
  );
}

async function takeBack(call: Call): Promise<void> {
  try {
    await dataOf(api.POST("/app/assistant/calls/{callId}/undo", { params: { path: { callId: call.id } } }));
    toast(`The change to ${thingOf(call)} was taken back`);
  } finally {
    const isOfCalls = (key: unknown) => String(key).startsWith("/app/assistant/calls");
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfCalls(queryKey[0]) });
  }
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
