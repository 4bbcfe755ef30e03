/** @jsxRuntime automatic @jsxImportSource preact */
import { Empty } from "../../ui/empty.tsx";
import type { Ask, Asked, Constraints } from "./asked.ts";
import { constraintText, kindOf, withoutChip } from "./chips.ts";
import type { Answer } from "./search.ts";

/** What keeps every track out, and a way past each. */
export function NothingFits({ asked, answer, ask }: { asked: Asked; answer: Answer; ask: Ask }) {
  const removed = Object.entries(answer.interpretation.appliedTuning.removed ?? {}).toSorted(
    ([, a], [, b]) => b - a,
  );
  if (removed.length === 0)
    return (
      <Empty heading="There is no music to search yet">
        <p class="soft">Tracks are found as soon as they are analysed.</p>
      </Empty>
    );
  return (
    <Empty heading="Nothing fits all of that">
      <p class="soft">Each of these leaves out that many tracks by itself.</p>
      <div class="nothing-drops">
        {removed.map(([name, count]) => (
          <button
            key={name}
            type="button"
            class="button secondary"
            onClick={() => ask(without(asked, name as keyof Constraints | "excludeTrackIds"))}
          >
            Drop {nameOf(asked, name as keyof Constraints | "excludeTrackIds")} ({count})
          </button>
        ))}
      </div>
    </Empty>
  );
}

function nameOf({ constraints, less }: Asked, name: keyof Constraints | "excludeTrackIds"): string {
  if (name === "excludeTrackIds") return less.length === 1 ? "the track left out" : "the tracks left out";
  return `${kindOf(name).toLowerCase()} ${constraintText(constraints, name)}`;
}

/** The prose may still prefer what is no longer required. */
function without(asked: Asked, name: keyof Constraints | "excludeTrackIds"): Asked {
  if (name === "excludeTrackIds") return { ...asked, less: [] };
  const chip = { id: name, kind: kindOf(name), value: "", state: "must", isKnown: true } as const;
  return withoutChip(asked, { ...chip, spans: [], constraint: name });
}
