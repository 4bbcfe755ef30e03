import { grouped } from "../../ui/numbers.ts";
import type { Insights } from "./insights.ts";

type Figures = Insights["answers"];

/** What people became of, in the order of the sentence: the words for one, and for several. */
const PARTS = [
  ["interested", "interested", "interested"],
  ["instrumental", "needs an instrumental", "need an instrumental"],
  ["terms", "asks for terms", "ask for terms"],
  ["pass", "passed", "passed"],
  ["notOpened", "not opened", "not opened"],
] as const satisfies readonly (readonly [keyof Figures, string, string])[];

/**
 * Returns what became of those who were asked for an answer: "Of 12 people: 3 interested, 1 needs an instrumental, 2 passed, 4 not
 * opened." Undefined when nobody was asked.
 */
export function answeredSentence(figures: Figures): string | undefined {
  const { people } = figures;
  if (people === 0) return undefined;
  const parts = PARTS.flatMap(([name, one, several]) => {
    const count = figures[name];
    return count === 0 ? [] : `${grouped(count)} ${count === 1 ? one : several}`;
  });
  const said = parts.length === 0 ? "nobody has answered" : parts.join(", ");
  return `Of ${people === 1 ? "1 person" : `${grouped(people)} people`}: ${said}.`;
}
