import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";

export const DiffQuery = Type.Object({
  against: Type.Optional(
    Type.String({ minLength: 1, description: "Another version of the track; default: the active one" }),
  ),
});

const number = nullable(Type.Number());
const Change = (description: string) =>
  Type.Object(
    { version: number, against: number, change: number },
    { description: `${description}; \`change\` is this version minus the other` },
  );

/** Payload of `GET /tracks/{trackId}/versions/{versionId}/diff`. */
export const VersionDiff = shape("VersionDiff", {
  trackId: Type.String(),
  versionId: Type.String(),
  against: Type.String({ description: "The version that this one is compared with" }),
  similarity: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Similarity of the fingerprints: 1 is a copy, 0 another recording; null when they cannot be compared",
    }),
  ),
  offsetMs: nullable(
    Type.Number({
      description:
        "How much later the same moment comes in this version than in the other; negative if the beginning was cut. " +
        "Null when the two cannot be aligned",
    }),
  ),
  durationSec: Change("Length"),
  integratedLufs: Change("Loudness, ITU-R BS.1770"),
  rangeLu: Change("Loudness range, EBU Tech 3342"),
  truePeakDbtp: Change("True peak"),
  bpm: Change("Tempo as measured"),
  key: Type.Object({
    version: nullable(Type.String()),
    against: nullable(Type.String()),
    isChanged: Type.Boolean(),
  }),
  gainDb: nullable(
    Type.Number({
      description: "Gain to apply to this version so that both sound equally loud; the other stays as it is",
    }),
  ),
  balance: Type.Array(
    Type.Object({
      centreHz: Type.Number(),
      changeDb: nullable(Type.Number({ description: "With the files as they are" })),
      matchedDb: nullable(Type.Number({ description: "With both at equal loudness" })),
    }),
    {
      description:
        "By octave, of the mono mix; empty when an older version of Dubplate analysed one of the two",
    },
  ),
});
export type VersionDiff = Static<typeof VersionDiff>;
