/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LEAST_SEC, lastEdge, MOST_SEC, STEP_SEC, withEdge } from "../../actions/find-sound.ts";
import { ApiError } from "../../api/errors.ts";
import { query, useQuery } from "../../api/queries.ts";
import { soundSentence } from "../../api/sound-words.ts";
import type { Span } from "../../player/ab.ts";
import { clock } from "../../player/time.ts";
import { durationOf } from "../../player/wave.ts";
import { Button } from "../../ui/button.tsx";
import type { Ask, Asked, Reference } from "./asked.ts";
import { useReferenceOutline } from "./card-sound.ts";
import { CardWave } from "./card-wave.tsx";
import { givenOf, isGiven } from "./given.ts";
import { heardSec, PassageButton } from "./passage-button.tsx";
import type { Answer, Search } from "./search.ts";
import { titleOf } from "./titles.ts";
import "./card.css";

type Props = {
  reference: Reference;
  /** The passage as it is being chosen. */
  part: Signal<Span | undefined>;
  search: Search;
  asked: Asked;
  ask: Ask;
  again: () => void;
};

/** A passage that rests for so long is searched by. */
const REST_MS = 500;

/** What the music should sound like: a file that is compared and forgotten, or a part of a track. */
export function ReferenceCard(props: Props) {
  const { reference, part, search, asked, ask, again } = props;
  const { id } = reference;
  const given = givenOf(id);
  const outline = useReferenceOutline(id, given);
  const drawnSec = useComputed(() => outline.value && durationOf(outline.value)).value;
  const measured = useMeasured(search, id);
  const durationSec = drawnSec ?? measured?.durationSec ?? 0;
  const name = isGiven(id) ? (given?.name ?? "A file that was not kept") : titleOf(id);
  return (
    <section class="reference" aria-label="Reference">
      <header>
        <h2>{name}</h2>
        {isGiven(id) ? (
          <HeardFacts measured={measured} durationSec={durationSec} />
        ) : (
          <TrackFacts id={id} durationSec={durationSec} />
        )}
      </header>
      {drawnSec !== undefined && <CardWave outline={outline} part={part} playedSec={() => heardSec(id)} />}
      {durationSec >= LEAST_SEC && <Edges part={part} endSec={lastEdge(durationSec)} />}
      <OnRest {...props} />
      <div class="buttons">
        <PassageButton id={id} given={given} part={part} />
        <Button
          look="quiet small"
          aria-disabled={part.value === undefined}
          run={() => {
            part.value = undefined;
            if (reference.part) ask(asked);
          }}
        >
          Whole file
        </Button>
        <Button look="quiet small" run={() => ask({ ...asked, reference: undefined })}>
          Remove reference
        </Button>
      </div>
      <Progress search={search} again={again} />
      {isGiven(id) && <p class="reference-kept">This file is not kept. It is compared and forgotten.</p>}
    </section>
  );
}

type Measured = NonNullable<Answer["interpretation"]["appliedTuning"]["reference"]>;

/** What the server measured of the file. Until its search has ended, the answer may be of the file before. */
function useMeasured({ asked, answer, isRunning }: Search, id: string): Measured | undefined {
  const measured = useRef<Measured | undefined>(undefined);
  if (!isRunning && asked.reference?.id === id)
    measured.current = answer?.interpretation.appliedTuning.reference ?? measured.current;
  return measured.current;
}

/** What a file is, and what was heard in it. */
function HeardFacts({ measured, durationSec }: { measured: Measured | undefined; durationSec: number }) {
  const { bpm = null, key = null, heard = [] } = measured ?? {};
  return (
    <Facts durationSec={durationSec} bpm={bpm} musicalKey={key}>
      {heard.length > 0 && <p class="soft">Heard as: {heard.join(", ")}</p>}
    </Facts>
  );
}

function TrackFacts({ id, durationSec }: { id: string; durationSec: number }) {
  const { data } = useQuery(query("/app/library/tracks/single", { query: { id } }, { tracks: [id] }));
  const { bpm = null, key = null } = data?.data.track?.audio_profile ?? {};
  return <Facts durationSec={durationSec} bpm={bpm} musicalKey={key} />;
}

type FactsProps = {
  durationSec: number;
  bpm: number | null;
  musicalKey: string | null;
  children?: ComponentChildren;
};

function Facts({ durationSec, bpm, musicalKey, children }: FactsProps) {
  const facts = [
    ...(durationSec > 0 ? [clock(durationSec)] : []),
    ...(bpm === null ? [] : [`${Math.round(bpm)} BPM`]),
    ...(musicalKey === null ? [] : [musicalKey]),
  ];
  return (
    <>
      {facts.length > 0 && <p class="reference-facts">{facts.join(" · ")}</p>}
      {children}
    </>
  );
}

/** Searches when the passage has rested, where that costs nothing. */
function OnRest({ reference, part, asked, ask }: Props) {
  const { data: credits } = useQuery(query("/app/credits", {}, {}));
  const isFree = credits?.data.unlimited ?? false;
  const current = useRef({ asked, ask });
  current.current = { asked, ask };
  const { fromSec, toSec } = part.value ?? {};
  const isSearched = fromSec === reference.part?.fromSec && toSec === reference.part?.toSec;
  useEffect(() => {
    if (!isFree || isSearched) return;
    const timer = setTimeout(() => current.current.ask(current.current.asked, true), REST_MS);
    return () => clearTimeout(timer);
  }, [fromSec, toSec, isFree, isSearched]);
  return isFree || isSearched ? null : <p class="soft">Press Search to search by this passage.</p>;
}

/** The two edges of the passage, for keys and fingers; the wave above is dragged over. */
function Edges({ part, endSec }: { part: Signal<Span | undefined>; endSec: number }) {
  const span = part.value ?? { fromSec: 0, toSec: endSec };
  const edge = (name: "From" | "To", value: number, least: number, most: number) => (
    <label>
      <span>{name}</span>
      <input
        type="range"
        min={least}
        max={most}
        step={STEP_SEC}
        value={value}
        aria-valuetext={clock(value)}
        onInput={({ currentTarget }) => {
          const side = name === "From" ? "from" : "to";
          part.value = withEdge(span, side, Number(currentTarget.value), endSec);
        }}
      />
      <output>{clock(value)}</output>
    </label>
  );
  return (
    <fieldset class="reference-edges" title={`From ${LEAST_SEC} seconds to ${MOST_SEC / 60} minutes`}>
      <legend>Choose a passage</legend>
      {edge("From", span.fromSec, 0, endSec - LEAST_SEC)}
      {edge("To", span.toSec, LEAST_SEC, endSec)}
    </fieldset>
  );
}

/** That the file is listened to, or why that failed. */
function Progress({ search: { asked, error, isRunning }, again }: Pick<Props, "search" | "again">) {
  const isHeard = isRunning && asked.reference !== undefined && isGiven(asked.reference.id);
  return (
    <>
      <p class="reference-progress" role="status">
        {isHeard && "Listening to the file…"}
      </p>
      {error !== undefined && (
        <div class="reference-problem" role="alert">
          <p>{soundSentence(error)}</p>
          {isPassing(error) && (
            <Button look="secondary small" run={again}>
              Try again
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** True for a refusal that the same file need not meet again. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.code === "no_connection" ||
  error.status === 408 ||
  error.status >= 429;
