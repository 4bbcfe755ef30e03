/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { place, setSearch } from "../../router.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { ago, day, wholeTime } from "../../ui/dates.ts";
import { Empty } from "../../ui/empty.tsx";
import { Switch } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import "./settings.css";

type Call = AnswerOf<"/app/assistant/calls">["data"][number];

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
  const next = data?.paging.next_cursor ?? null;
  return (
    <Screen heading="What assistants did">
      <div class="settings-parts">
        <p class="soft">
          {isAll ? "Every call of a tool" : "Their changes"} of the last 90 days, newest first. You can take
          back a recent change as long as nobody has changed the same thing since.
        </p>
        <Switch
          label="Show calls that changed nothing too"
          isOn={isAll}
          onChange={(isOn) => setSearch({ all: isOn ? "true" : "", cursor: "" })}
        />
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {data && data.data.length === 0 && (
          <Empty heading={isAll ? "No calls yet" : "No assistant has changed anything yet"} />
        )}
        <ul class="calls" aria-label="Calls">
          {(data?.data ?? []).map((call) => (
            <CallItem key={call.id} call={call} />
          ))}
        </ul>
        {next !== null && (
          <div>
            <button type="button" class="button secondary" onClick={() => setSearch({ cursor: next })}>
              Older calls
            </button>
          </div>
        )}
      </div>
    </Screen>
  );
}

function CallItem({ call }: { call: Call }) {
  const { at, tool, by, outcome, dryRun, changes, undoUntil, undoneAt } = call;
  const who = [by.name ?? "a deleted key", by.client].filter((each) => each !== "").join(", ");
  // An argument whose value shows as a change says nothing more.
  const changed = new Map(changes.map(({ path, after }) => [path, shown(after)]));
  const others = Object.entries(call.arguments).filter(
    ([name, value]) => name !== "dryRun" && changed.get(name) !== shown(value),
  );
  return (
    <li class="call">
      <header class="call-head">
        {call.track && <CoverPicture seed={call.track.id} cover={call.track.cover} />}
        <h2>{sentenceOf(call, who)}</h2>
        {dryRun && <span class="settings-mark">Preview</span>}
        {outcome !== "ok" && <span class="call-refused">Refused: {outcome}</span>}
        <span class="soft" title={wholeTime(at)}>
          {ago(at)}
        </span>
        {undoUntil !== null && undoneAt === null && (
          <button type="button" class="button secondary small" onClick={() => void takeBack(call)}>
            Take back
          </button>
        )}
      </header>
      <details>
        <summary>Details</summary>
        <p class="mono">{tool}</p>
        <dl class="call-facts">
          {others.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shown(value)}</dd>
            </div>
          ))}
          {changes.map(({ path, before, after }) => (
            <div key={`change ${path}`}>
              <dt>{path}</dt>
              <dd>
                <del>{shown(before)}</del> → <ins>{shown(after)}</ins>
              </dd>
            </div>
          ))}
          {undoneAt !== null && (
            <div>
              <dt>Taken back</dt>
              <dd title={wholeTime(undoneAt)}>{day(undoneAt)}</dd>
            </div>
          )}
        </dl>
      </details>
    </li>
  );
}

/** What tools do, as people say it. */
const VERBS: Readonly<Record<string, string>> = {
  apply_suggested_tags: "took the suggested tags for",
  delete_playlist: "deleted a playlist",
  delete_composer: "deleted a composer",
  delete_track_version: "deleted a version of",
  update_track_details: "changed the details of",
  update_track_tags: "changed the tags of",
  update_composer: "changed a composer",
};

/** "Claude renamed Wanderer to Wanderer (renamed)". */
function sentenceOf({ tool, changes, track }: Call, who: string) {
  const title = changes.find(({ path }) => path === "title");
  const before = shown(title?.before ?? track?.title);
  if (title && typeof title.after === "string")
    return (
      <>
        {who} renamed <em>{before}</em> to <em>{title.after}</em>
      </>
    );
  return (
    <>
      {who} {VERBS[tool] ?? `used “${tool.replaceAll("_", " ")}”${track ? " on" : ""}`}
      {track && (
        <>
          {" "}
          <em>{track.title}</em>
        </>
      )}
    </>
  );
}

async function takeBack({ id, tool }: Call): Promise<void> {
  try {
    await dataOf(api.POST("/app/assistant/calls/{callId}/undo", { params: { path: { callId: id } } }));
    toast(`${tool} taken back`);
  } catch (thrown) {
    toastError(thrown);
  }
  const isOfCalls = (key: unknown) => String(key).startsWith("/app/assistant/calls");
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfCalls(queryKey[0]) });
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
