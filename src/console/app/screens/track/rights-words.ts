import type { Data } from "../../api/routes.ts";

export type Rights = Data<"GET /app/library/tracks/{trackId}/rights">;

type Options<Value extends string> = readonly { value: Value; name: string }[];

export const EXPLICIT: Options<NonNullable<Rights["explicit"]>> = [
  { value: "no", name: "Not explicit" },
  { value: "yes", name: "Explicit" },
  { value: "clean", name: "Clean: edited" },
];
export const AI_PARTS: Options<Rights["aiUse"][number]["part"]> = [
  { value: "vocals", name: "Vocals" },
  { value: "lyrics", name: "Lyrics" },
  { value: "composition", name: "Composition" },
  { value: "instruments", name: "Instruments" },
  { value: "mix", name: "Mix" },
  { value: "master", name: "Master" },
  { value: "artwork", name: "Artwork" },
  { value: "other", name: "Other" },
];
export const AI_EXTENTS: Options<Rights["aiUse"][number]["extent"]> = [
  { value: "none", name: "No generative tool" },
  { value: "assisted", name: "Assisted" },
  { value: "generated", name: "Generated" },
];
