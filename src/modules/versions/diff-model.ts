import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { nullable } from "../../http/envelope.ts";

export const DiffQuery = t.Object({
  against: t.Optional(
    t.String({ minLength: 1, description: "Another version of the track; default: the active one" }),
  ),
});

const number = nullable(Type.Number());
const Change = (description: string) =>
  Type.Object(
    { version: number, against: number, change: number },
    { description: `${description}; \`change\` is the version less the other` },
  );

/** Payload of `GET /tracks/{trackId}/versions/{versionId}/diff`. */
export const VersionDiff = Type.Object({
  trackId: Type.String(),
  versionId: Type.String(),
  against: Type.String({ description: "The version that it is compared with" }),
  similarity: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Of the two fingerprints: 1 a copy, 0 another recording; null where they cannot be compared",
    }),
  ),
  offsetMs: nullable(
    Type.Number({
      description:
        "How much later the same moment comes than in the other; negative where the beginning was cut. Null where the " +
        "two do not lie on each other",
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
    Type.Number({ description: "Add it to the version to hear both equally loud; the other stays as it is" }),
  ),
  balance: Type.Array(
    Type.Object({
      centreHz: Type.Number(),
      changeDb: nullable(Type.Number({ description: "As the files are" })),
      matchedDb: nullable(Type.Number({ description: "Once both are equally loud" })),
    }),
    { description: "By octave, of the mono mix; empty where a version was analysed by an older program" },
  ),
});
export type VersionDiff = Static<typeof VersionDiff>;
