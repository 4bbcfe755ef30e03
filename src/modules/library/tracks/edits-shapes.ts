import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { NamedPerson } from "../../people/people/shapes.ts";

export const TrackEditsParams = Type.Object({ trackId: Type.String() });

export const TrackEdit = shape(
  "TrackEdit",
  {
    field: Type.String({ description: "As the requests that change it call it; an open set" }),
    by: described(
      nullable(NamedPerson),
      "Null: no member, but the operator, or another account in its place",
    ),
    at: Timestamp,
  },
  { description: "Who changed a field of a track last" },
);
export type TrackEdit = Static<typeof TrackEdit>;
