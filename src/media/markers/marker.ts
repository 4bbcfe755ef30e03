import { oneLine } from "../../kernel/display-name.ts";

/** A note at a moment of a recording, or over a range of it, as workstations mark it. */
export type Marker = {
  /** From 1, unique. */
  number: number;
  /** Seconds from the beginning. */
  atSec: number;
  /** Null: a moment. */
  endSec: number | null;
  /** One line, such as `Ana: kick too loud`; see {@link markerName}. */
  name: string;
  /** The whole of it, for formats with room for more than a name: one line too. */
  text: string;
};

/** Characters of a name: workstations show about as many. */
const MAX_NAME = 120;

/** Returns a text as the name of a marker: one line, cut where it is long. */
export function markerName(text: string): string {
  const characters = Array.from(oneLine(text));
  if (characters.length <= MAX_NAME) return characters.join("");
  return `${characters
    .slice(0, MAX_NAME - 1)
    .join("")
    .trimEnd()}…`;
}
