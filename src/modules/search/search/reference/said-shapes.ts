import { Type } from "@sinclair/typebox";
import { nullable } from "../../../../http/envelope.ts";

const TRACK = "trk_019a2f0e8c5b7d31a4f6e2b8c90d1e23";
const From = (description: string) => Type.Number({ minimum: 0, description, examples: [42] });
const To = (description: string) => Type.Number({ minimum: 0, description, examples: [62] });

/** A part of a track, as a search asks for it. */
export const AskedPassage = Type.Object(
  {
    trackId: Type.String(),
    fromSec: From("Where the part begins, seconds"),
    toSec: To("Where it ends, at least 3 s after `fromSec`"),
  },
  { description: "Steer toward this part of a track" },
);

/** The part of a result that is most alike. */
export const LikestPassage = Type.Object(
  {
    fromSec: From("Where the part begins, seconds"),
    toSec: To("Where it ends"),
    likeness: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How alike it is, 1 is the same",
      examples: [0.87],
    }),
  },
  { description: "The part that is most like the passage or the reference of the search" },
);

/** What an answer says of the part of a track that steered. */
export const SaidPassage = Type.Object(
  {
    trackId: Type.String(),
    fromSec: From("Where the part begins, seconds"),
    toSec: To("Where it ends"),
    passages: Type.Union([Type.Literal("all"), Type.Literal("nearest tracks"), Type.Literal("none")], {
      description:
        "Which parts of tracks were compared: `all`; `nearest tracks`, in a very large library; `none`, those of this track are not known",
    }),
  },
  { description: "The part of a track that steered" },
);

/** What an answer says of a sound that was sent. */
export const SaidReference = Type.Object(
  {
    source: Type.Union([Type.Literal("file"), Type.Literal("url")], {
      description: "How it came: `file`, in the form; `url`, from an address",
    }),
    durationSec: Type.Number({ description: "Length of the whole file" }),
    fromSec: From("Where the part begins that was compared, seconds"),
    toSec: To("Where it ends"),
    bpm: nullable(Type.Number()),
    key: nullable(Type.String()),
    heard: Type.Array(Type.String({ examples: ["Electronic"] }), {
      description: "Tags that it suggests, the surest first",
    }),
    sameRecordingAs: nullable(
      Type.String({
        description: "The track that has this very recording; it is not among the results",
        examples: [TRACK],
      }),
    ),
    passages: Type.Union([Type.Literal("all"), Type.Literal("nearest tracks")], {
      description: "Which parts of tracks were compared: `all`; `nearest tracks`, in a very large library",
    }),
  },
  { description: "The sound that was sent and not kept" },
);
