/** @jsxRuntime automatic @jsxImportSource preact */
import { USUAL_DAYS } from "../../../shared/addresses.ts";
import { useQuery } from "../../api/queries.ts";
import { place, setSearch } from "../../router.ts";
import { NotCounted } from "../../share/left-out.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Check } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Way } from "../../ui/way.tsx";
import { answeredSentence } from "./answered.ts";
import { Chart } from "./chart.tsx";
import { daysOf, type Insights, insightsQuery, RANGES } from "./insights.ts";
import { TopLinks, Unopened } from "./links.tsx";
import { TopPeople } from "./people.tsx";
import { saveInsights } from "./save.ts";
import { Sums } from "./sums.tsx";
import { TopTracks } from "./tracks.tsx";
import "./insights.css";

/** Who listened, to what, and how far. */
export default function InsightsScreen() {
  const { search } = place.value;
  const { data, error, refetch, isPlaceholderData } = useQuery(insightsQuery(search));
  const insights = data?.data;
  const tools = insights && (
    <Button look="secondary small" run={() => saveInsights(insights)}>
      Save as CSV
    </Button>
  );
  return (
    <Screen heading="Insights" tools={tools}>
      <Range search={search} insights={insights} />
      <Problem error={error} onRetry={refetch} />
      {insights && (
        <div class="insights" aria-busy={isPlaceholderData}>
          <WeekSentence week={insights.week} />
          <AnsweredSentence answers={insights.answers} />
          <Answers insights={insights} isCompared={search.get("compare") !== "no"} />
        </div>
      )}
    </Screen>
  );
}

function Range({ search, insights }: { search: URLSearchParams; insights: Insights | undefined }) {
  const isPart = search.get("since") !== null && search.get("until") !== null;
  const current = isPart ? undefined : (search.get("range") ?? USUAL_DAYS);
  return (
    <div class="insight-range">
      <Segments
        label="Range"
        options={RANGES}
        current={RANGES.find(({ value }) => value === current)?.value}
        onChange={(value) =>
          setSearch({ range: value === USUAL_DAYS ? undefined : value, since: undefined, until: undefined })
        }
      />
      {insights?.before && (
        <Check
          isOn={search.get("compare") !== "no"}
          onChange={(isOn) => setSearch({ compare: isOn ? undefined : "no" })}
        >
          Compare with {daysOf({ from: insights.before.since, to: insights.before.until }, true)}
        </Check>
      )}
      {isPart && insights && (
        <p class="soft">
          Only {daysOf({ from: insights.range.since, to: insights.range.until }, true)}.{" "}
          <button
            type="button"
            class="link-button"
            onClick={() => setSearch({ since: undefined, until: undefined })}
          >
            Show the whole range
          </button>
        </p>
      )}
    </div>
  );
}

function WeekSentence({ week: { headline, blurb } }: Pick<Insights, "week">) {
  if (headline === null) return null;
  return (
    <p class="insight-week">
      <strong>This week: {headline.charAt(0).toLowerCase() + headline.slice(1)}.</strong> {blurb}
    </p>
  );
}

/** What the people said whom links ask for an answer. */
function AnsweredSentence({ answers }: Pick<Insights, "answers">) {
  const sentence = answeredSentence(answers);
  if (sentence === undefined) return null;
  return (
    <p class="insight-week">
      {sentence} <Way path="/library/inbox?show=answers">Answers</Way>
    </p>
  );
}

function Answers({ insights, isCompared }: { insights: Insights; isCompared: boolean }) {
  const { totals, tracks, people, publicLinks } = insights;
  const isQuiet =
    Object.values(totals).every((count) => count === 0) && people.length + publicLinks.length === 0;
  return (
    <>
      {isQuiet ? (
        <Empty heading="Nothing has happened yet">
          <p>
            Plays, views and downloads show here as soon as someone opens{" "}
            <Way path="/library/links">one of your links</Way>. Your own listening is never counted.
          </p>
        </Empty>
      ) : (
        <>
          <Sums insights={insights} isCompared={isCompared} />
          <Chart insights={insights} isCompared={isCompared} />
          {tracks.length > 0 && <TopTracks tracks={tracks} isCompared={isCompared} />}
          {people.length > 0 && <TopPeople people={people} count={insights.peopleCount} />}
          {publicLinks.length > 0 && <TopLinks links={publicLinks} />}
        </>
      )}
      <Unopened insights={insights} />
      <NotCounted notCounted={insights.notCounted} />
    </>
  );
}
