import { type Static, Type } from "@sinclair/typebox";
import { MARKER_FORMATS } from "../../../kernel/marker-formats.ts";
import { STATES_PATTERN } from "./shapes.ts";

/** Of one export. The oldest notes are in it. */
export const MAX_MARKERS = 2000;
const MIN_BPM = 10;
const MAX_BPM = 1000;

export const MarkersParams = Type.Object({ trackId: Type.String(), versionId: Type.String() });

export const MarkersQuery = Type.Object({
  format: Type.Union(
    MARKER_FORMATS.map((format) => Type.Literal(format)),
    { description: "The form of the file" },
  ),
  state: Type.String({
    pattern: STATES_PATTERN,
    default: "open",
    description: "Only notes that are `open` or `answered`, or both: `open,answered`",
  }),
  sections: Type.Optional(
    Type.Boolean({
      description:
        "Also the sections that the analysis found, such as `Chorus-like`, before the notes; not in the table. Default: false",
    }),
  ),
  bpm: Type.Optional(
    Type.Number({
      minimum: MIN_BPM,
      maximum: MAX_BPM,
      description: "The tempo that a MIDI file counts by; default: the one measured on the version, else 120",
    }),
  ),
});
export type MarkersQuery = Static<typeof MarkersQuery>;
