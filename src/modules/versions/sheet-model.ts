import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../http/envelope.ts";
import { Version } from "./model.ts";

const number = nullable(Type.Number());

/** A version with what the console needs to play it and to tell it from the others. */
export const SheetVersion = Type.Object({
  ...Version.properties,
  playbackUrl: Type.String({
    format: "uri",
    description: "What a browser plays best: a rendition, or the original. Works for one hour",
  }),
  isAnalysed: Type.Boolean({ description: "False: there is no waveform, and no comparison" }),
  durationSec: number,
  integratedLufs: number,
  truePeakDbtp: number,
  bpm: number,
  key: nullable(Type.String()),
});
export type SheetVersion = Static<typeof SheetVersion>;
