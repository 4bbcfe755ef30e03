/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { can } from "../api/library.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { IconButton } from "../ui/button.tsx";
import { when } from "../ui/dates.ts";
import { counted } from "../ui/numbers.ts";
import { toastError } from "../ui/toast.tsx";
import { Way } from "../ui/way.tsx";
import "./news.css";

type News = AnswerOf<"/app/news">["data"];

const newsQuery = query("/app/news", {}, { activity: "all", submissions: "all", comments: "all" });
/** The server knows of this visit: before, the news of the visit before would show. */
const isNoted = signal(false);
const LIST = new Intl.ListFormat("en");

/** The activity of others since the last visit, above the Library; hidden when there was none. */
export function NewsAbove() {
  const news = useQuery(isNoted.value && can("read:analytics") ? newsQuery : null).data?.data;
  if (!news || news.since === null || isNothing(news)) return null;
  const { since, people, peopleCount, submissions } = news;
  const counts = countsOf(news);
  return (
    <section class="news" aria-label="Since your last visit">
      <p>
        <strong>Since your last visit, {when(since)}:</strong>{" "}
        {counts && (
          <>
            <a href={href("/library/insights")}>{counts}</a>
            {people.length > 0 && <People people={people} more={peopleCount - people.length} />}
            {submissions > 0 && ", "}
          </>
        )}
        {submissions > 0 && <Way path="/library/inbox">{counted(submissions, "submission")}</Way>}.
      </p>
      <IconButton label="Dismiss news" icon="close" title="Dismiss" run={() => noteVisit(true)} />
    </section>
  );
}

const isNothing = ({ plays, downloads, comments, submissions }: News) =>
  plays + downloads + comments + submissions === 0;

function countsOf({ plays, downloads, comments }: News): string {
  return LIST.format([
    ...(plays > 0 ? [counted(plays, "play")] : []),
    ...(downloads > 0 ? [counted(downloads, "download")] : []),
    ...(comments > 0 ? [counted(comments, "comment")] : []),
  ]);
}

/** Who it was, with the way to what they heard. */
function People({ people, more }: { people: News["people"]; more: number }) {
  return (
    <>
      {" by "}
      {people.map(({ name, shareIds: [shareId = "", ...others] }, index) => (
        <span key={name}>
          {index > 0 && (index === people.length - 1 && more === 0 ? " and " : ", ")}
          <Way
            path={
              others.length === 0
                ? `/library/links/${shareId}`
                : `/library/links?for=${encodeURIComponent(name)}`
            }
          >
            {name}
          </Way>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** Tells the server that the owner is here. @param seen Puts the news until now away. */
async function noteVisit(seen: boolean): Promise<void> {
  if (!can("read:analytics")) return;
  try {
    const data = await dataOf(api.POST("/app/visits", { body: seen ? { seen } : {} }));
    queryClient.setQueryData(newsQuery.queryKey, (before) => ({ ...(before as object), data }));
    isNoted.value = true;
  } catch (thrown) {
    if (seen) toastError(thrown);
  }
}

/** Notes the visit at its start, and whenever the window is shown or put away: its end is the last of these. */
export function followVisit(): void {
  void noteVisit(false);
  document.addEventListener("visibilitychange", () => void noteVisit(false));
}
