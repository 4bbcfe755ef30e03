import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { Version } from "./shapes.ts";

const number = nullable(Type.Number());

/** A version with what the console needs to play it and to tell it from the others. */
export const SheetVersion = shape("SheetVersion", {
  ...Version.properties,
  playbackUrl: Type.String({
    format: "uri",
    description: "What a browser plays best: a rendition, or the original. Works for one hour",
  }),
  isAnalysed: Type.Boolean({ description: "False: there is no waveform, and no comparison" }),
  analysis: Type.Union(
    (["none", "pending", "completed", "failed"] as const).map((state) => Type.Literal(state)),
    {
      description:
        "`none` until the version is active, compared or downloaded for the first time; `pending` while its analysis waits " +
        "or runs; `completed` once it is measured; `failed` when it cannot be, which is tried again after a day",
    },
  ),
  durationSec: number,
  integratedLufs: number,
  truePeakDbtp: number,
  bpm: number,
  key: nullable(Type.String()),
  madeBy: MadeBy,
});
export type SheetVersion = Static<typeof SheetVersion>;

/** Another track that is a mix of the same song. */
export const SheetMix = shape(
  "SheetMix",
  {
    id: Type.String(),
    title: nullable(Type.String()),
    name: Type.String(),
    artist: nullable(Type.String()),
    createdAt: Type.String({ description: "When it was added" }),
    similarity: Type.Number({ minimum: 0, maximum: 1, description: "Of the sound" }),
    isSameMix: Type.Boolean({ description: "True for the same mix, encoded again, louder or trimmed" }),
  },
  { description: "Another track that is a mix of the same song" },
);
export type SheetMix = Static<typeof SheetMix>;

/** A new track that sounds like a mix of an older one. */
export const MixOffer = shape(
  "MixOffer",
  {
    id: Type.String(),
    name: Type.String(),
    title: Type.String({ description: "The track's title, or its name without the file's ending" }),
    otherId: Type.String({ description: "The older track" }),
    otherTitle: Type.String({
      description: "The older track's title, or its name without the file's ending",
    }),
    version: Type.Integer({
      minimum: 1,
      description: "Which version of the older track it would be, counted from 1",
    }),
    similarity: Type.Number({ minimum: 0, maximum: 1, description: "Of the sound" }),
    isSameMix: Type.Boolean({ description: "True for the same mix, encoded again, louder or trimmed" }),
    offeredAt: Type.String({ description: "When the analysis found it" }),
  },
  { description: "A new track that sounds like a mix of an older one" },
);
export type MixOffer = Static<typeof MixOffer>;

/** Another track with the same recording. */
export const SheetCopy = shape("SheetCopy", {
  id: Type.String(),
  title: nullable(Type.String()),
  name: Type.String(),
  artist: nullable(Type.String()),
  similarity: Type.Number({ minimum: 0, maximum: 1, description: "Of the sound; 1: the same samples" }),
  isSameFile: Type.Boolean({ description: "True when the file is the same, byte for byte" }),
});
