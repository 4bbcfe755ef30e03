/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Span } from "../../player/ab.ts";
import { go, place } from "../../router.ts";
import { announce } from "../../ui/announce.ts";
import { DropFile } from "../../ui/drop-file.tsx";
import { Empty } from "../../ui/empty.tsx";
import { later } from "../../ui/later.tsx";
import { counted } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { type Ask, type Asked, addressOf, askedBy, isSearchable } from "./asked.ts";
import { BesideReference } from "./beside-reference.tsx";
import { present, useFreshHits } from "./fresh.ts";
import { give } from "./given.ts";
import { NothingFits } from "./nothing.tsx";
import { Results } from "./results.tsx";
import { isOutOfCredits, type Search, useSearch } from "./search.ts";
import "./search.css";
import { SearchField } from "./search-field.tsx";
import { Suggestions } from "./suggestions.tsx";
import { noteTitles } from "./titles.ts";
import { Understood } from "./understood.tsx";

const ReferenceCard = later(async () => (await import("./card.tsx")).ReferenceCard);

export default function SearchScreen() {
  const asked = askedBy(place.value.search);
  const { search, again } = useSearch(asked);
  const { reference } = asked;
  const prose = useSignal(asked.prose);
  useEffect(() => {
    prose.value = asked.prose;
  }, [asked.prose, prose]);
  const part = useSignal<Span | undefined>(reference?.part);
  useEffect(() => {
    part.value = reference?.part;
  }, [reference?.id, reference?.part?.fromSec, reference?.part?.toSec, part]);
  const ask: Ask = (wanted, replace = false) => {
    const isSame = wanted.reference?.id === reference?.id;
    // A passage that is being chosen counts with whatever else is asked.
    const next = isSame && reference ? { ...wanted, reference: { ...reference, part: part.value } } : wanted;
    prose.value = next.prose;
    if (addressOf(next) === addressOf(asked)) again();
    else go(addressOf(next), { replace });
  };
  const take = (id: string) =>
    ask({ ...asked, prose: prose.value.trim(), reference: { id, part: undefined } });
  useFreshHits(search);
  const { answer, isRunning } = search.value;
  useEffect(() => {
    if (answer && !isRunning) announce(counted(answer.count, "result"));
    if (answer) noteTitles(answer.results);
  }, [answer?.searchId, isRunning]);
  return (
    <Screen heading="Search">
      <div class="search">
        <SearchField text={prose} asked={asked} ask={ask} take={take} />
        <DropFile take={(file) => take(give(file))}>Find what sounds like this</DropFile>
        {reference && (
          <ReferenceCard
            key={reference.id}
            {...{ reference, part, asked, ask, again }}
            search={search.value}
          />
        )}
        {isSearchable(asked) ? (
          <Found search={search.value} asked={asked} ask={ask} again={again} />
        ) : (
          <Suggestions onChoose={(text) => ask({ ...asked, prose: text })} />
        )}
      </div>
    </Screen>
  );
}

type FoundProps = { search: Search; asked: Asked; ask: Ask; again: () => void };

function Found({ search: { answer: found, gone, error, isRunning, isNew }, asked, ask, again }: FoundProps) {
  if (isOutOfCredits(error))
    return (
      <Empty heading="No credits left">
        <p class="soft">
          A search costs one credit, and you have no credits left. The operator of this server can add more.
        </p>
      </Empty>
    );
  // The card of the reference says what is wrong.
  if (error) return asked.reference ? null : <Problem error={error} onRetry={again} />;
  if (!found) return <Waiting />;
  const answer = present(found, gone);
  return (
    <div class={isRunning ? "search-found is-running" : "search-found"} aria-busy={isRunning}>
      <Understood asked={asked} answer={answer} ask={ask} />
      <BesideReference asked={asked} answer={answer} />
      {answer.count > 0 ? (
        <Results asked={asked} answer={answer} ask={ask} isNew={isNew} />
      ) : (
        <NothingFits asked={asked} answer={answer} ask={ask} />
      )}
    </div>
  );
}

/** Rows of the final height, once a search takes longer than a moment. */
function Waiting() {
  return (
    <div class="search-waiting" aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
