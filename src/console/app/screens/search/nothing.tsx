/** @jsxRuntime automatic @jsxImportSource preact */
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Ask, Asked, Constraints } from "./asked.ts";
import { constraintText, kindOf, withoutChip } from "./chips.ts";
import { cut } from "./prose.ts";
import type { Answer } from "./search.ts";

type Props = { asked: Asked; answer: Answer; ask: Ask };

/** Why nothing was found, and a way past it. */
export function NothingFits(props: Props) {
  const { briefParsed, summary, appliedTuning } = props.answer.interpretation;
  const { tracks = 0, considered = 0 } = appliedTuning;
  if (tracks > 0 && considered === 0) return <KeptOut {...props} />;
  if (tracks === 0)
    return (
      <Empty heading="There is no music to search yet">
        <p class="soft">Tracks are found as soon as they are analysed.</p>
      </Empty>
    );
  return (
    <Empty heading={briefParsed ? "Nothing in the library fits" : "This was not understood"}>
      <p class="soft">{briefParsed ? "No track fits any part of this search." : summary}</p>
      <p class="soft">Name a genre, a mood, an instrument, a tempo, or a title.</p>
    </Empty>
  );
}

/** What keeps every track out, and a way past each. */
function KeptOut({ asked, answer: { interpretation }, ask }: Props) {
  const { removed = {} } = interpretation.appliedTuning;
  const all = Object.entries(removed)
    .filter(([name]) => name in asked.constraints || name === "excludeTrackIds")
    .toSorted(([, a], [, b]) => b - a);
  const alone = all.filter(([, count]) => count > 0);
  const constraints = alone.length > 0 ? alone : all;
  const said = (interpretation.said ?? []).filter(({ kind }) => kind === "filter" || kind === "available");
  return (
    <Empty heading="Nothing fits all of that">
      <p class="soft">Each of these rules out tracks on its own.</p>
      <div class="buttons">
        {constraints.map(([name, count]) => (
          <Button
            key={name}
            look="secondary"
            run={() => ask(without(asked, name as keyof Constraints | "excludeTrackIds"))}
          >
            Drop {nameOf(asked, name as keyof Constraints | "excludeTrackIds")} ({count})
          </Button>
        ))}
        {said.map(({ kind, value, spans }) => (
          <Button key={value} look="secondary" run={() => ask({ ...asked, prose: cut(asked.prose, spans) })}>
            Drop “{kind === "available" ? `${value} available` : value}”
          </Button>
        ))}
      </div>
    </Empty>
  );
}

function nameOf({ constraints, less }: Asked, name: keyof Constraints | "excludeTrackIds"): string {
  if (name === "excludeTrackIds") return less.length === 1 ? "the track left out" : "the tracks left out";
  return `${kindOf(name).toLowerCase()} ${constraintText(constraints, name)}`;
}

/** The prose may still prefer a value that is no longer required. */
function without(asked: Asked, name: keyof Constraints | "excludeTrackIds"): Asked {
  if (name === "excludeTrackIds") return { ...asked, less: [] };
  const chip = { id: name, kind: kindOf(name), value: "", state: "must", isKnown: true } as const;
  return withoutChip(asked, { ...chip, spans: [], constraint: name });
}
