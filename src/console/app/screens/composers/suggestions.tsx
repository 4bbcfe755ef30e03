/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { type AnswerOf, changed, query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { openAskComposer } from "../../share/ask-composer.tsx";
import { Button } from "../../ui/button.tsx";
import { ago, day } from "../../ui/dates.ts";
import { toast } from "../../ui/toast.tsx";
import { percent, type WholeComposer } from "./types.ts";

type Suggestion = AnswerOf<"/app/composers/{id}/suggestions">["data"][number];
type FieldName = Suggestion["offered"][number]["field"];

const NAMES: Readonly<Record<FieldName, string>> = {
  fullName: "a name",
  email: "an address",
  pro: "a PRO",
  ipi: "an IPI",
  isni: "an ISNI",
  publisher: "a publisher",
};

/** What the composer was asked for and what they sent, each to be taken or let go; and the way to ask. */
export function Suggestions({ composer }: { composer: WholeComposer }) {
  const { id, fullName, tracks } = composer;
  const { data } = useQuery(
    query("/app/composers/{id}/suggestions", { path: { id } }, { composers: "all", tracks: "all" }),
  );
  const mayChange = can("update:composer");
  return (
    <section class="composer-part" aria-labelledby="composer-asked">
      <h2 id="composer-asked">Ask {fullName}</h2>
      {(data?.data ?? []).map((suggestion) => (
        <Sent key={suggestion.requestId} composer={composer} suggestion={suggestion} mayChange={mayChange} />
      ))}
      {mayChange && (
        <Button
          look="secondary small"
          run={() =>
            openAskComposer(
              composer,
              tracks.slice(0, 50).map(({ trackId }) => trackId),
            )
          }
        >
          Ask {fullName}…
        </Button>
      )}
    </section>
  );
}

type SentProps = { composer: WholeComposer; suggestion: Suggestion; mayChange: boolean };

function Sent({ composer: { id, fullName }, suggestion, mayChange }: SentProps) {
  const { requestId, answeredAt, askedAt, expiresAt, offered, shares, note } = suggestion;
  const decide = async (take: FieldName[], said: string) => {
    const path = { id, requestId };
    await dataOf(
      api.POST("/app/composers/{id}/suggestions/{requestId}", { params: { path }, body: { take } }),
    );
    changed("composers", [id]);
    toast(said);
  };
  if (answeredAt === null)
    return (
      <p class="soft">
        Asked {ago(askedAt)}. No answer yet; the link works until {day(expiresAt)}.{" "}
        {mayChange && (
          <Button look="quiet small" run={() => decide([], "The link no longer works")}>
            Withdraw
          </Button>
        )}
      </p>
    );
  const disputed = shares.filter(({ isRight }) => isRight === false);
  return (
    <div class="composer-sent">
      <p>
        {fullName} answered {ago(answeredAt)}.
      </p>
      <ul aria-label={`What ${fullName} sent`}>
        {offered.map(({ field, from, to }) => (
          <li key={field}>
            {fullName} sent {NAMES[field]}: <b>{to}</b>
            {from !== null && <span class="soft"> (was {from})</span>}{" "}
            {mayChange && offered.length > 1 && (
              <Button
                look="quiet small"
                aria-label={`Take ${NAMES[field]}`}
                run={() => decide([field], "Taken; the rest was let go")}
              >
                Only this
              </Button>
            )}
          </li>
        ))}
        {disputed.map(({ trackId, title, role, share }) => (
          <li key={`${trackId} ${role}`}>
            “This is not right”: {percent(share)} of{" "}
            <a href={href(`/library/tracks/${trackId}?tab=credits`)}>{title}</a> ({role})
          </li>
        ))}
        {note !== null && <li>“{note}”</li>}
      </ul>
      {mayChange && (
        <div class="buttons">
          {offered.length > 0 && (
            <Button
              look="small"
              run={() =>
                decide(
                  offered.map(({ field }) => field),
                  "Taken",
                )
              }
            >
              {offered.length === 1 ? "Take it" : "Take all"}
            </Button>
          )}
          <Button look="quiet small" run={() => decide([], "Let go")}>
            {offered.length > 0 ? "Let it go" : "Done"}
          </Button>
        </div>
      )}
    </div>
  );
}
