import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";

/** The most of a sound that is looked at, in seconds. */
export const MOST_SEC = 600;

/** Body of `POST /app/leaks`: a form, or JSON without `file`. */
export const LeakForm = Type.Object({
  file: Type.Optional(
    Type.String({ format: "binary", description: "The sound, at most 200 MB, unless `url` is sent" }),
  ),
  url: Type.Optional(
    Type.String({ description: "Address of the sound", examples: ["https://files.example/leak.mp3"] }),
  ),
  trackId: Type.Optional(Type.String({ description: "The track that it is of; left out: it is looked for" })),
});

/** The same as JSON. */
export const LeakAddress = Type.Object(
  { url: Type.String(), trackId: Type.Optional(Type.String()) },
  { additionalProperties: false },
);

export const SampleParams = Type.Object({ trackId: Type.String() });

export const LeakParams = Type.Object({ id: Type.String() });

const Span = Type.Object({
  from: Type.Number({ minimum: 0, description: "Where it begins, seconds", examples: [42] }),
  to: Type.Number({ minimum: 0, description: "Where it ends, seconds", examples: [72] }),
});
const Part = (description: string) => described(nullable(Span), description);

const LeakCandidate = shape("LeakCandidate", {
  shareId: described(nullable(Type.String()), "The link, which may be gone"),
  packageId: nullable(
    Type.String({ description: "The package, where it was part of one", examples: ["pkg_5Kd3mR8v"] }),
  ),
  recipient: described(nullable(Type.String()), "Whose copy it was; null: the link named nobody"),
  kind: Type.Union([Type.Literal("listen"), Type.Literal("download"), Type.Literal("package")]),
  deliveredAt: described(nullable(Timestamp), "When it first left the server; null: not known"),
  score: described(
    nullable(Type.Number()),
    "How well the mark fits, at most 22.6; null: the file is the copy, byte for byte",
  ),
  chanceOfError: described(
    nullable(Type.Number({ minimum: 0, maximum: 1 })),
    "Upper bound of the chance that this look-up names anyone wrongly; null with `score`",
  ),
});

/** What a look-up found. */
export const Leak = shape("Leak", {
  id: Type.String(),
  status: Type.Union([Type.Literal("working"), Type.Literal("done"), Type.Literal("failed")]),
  error: described(
    nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    "Why it failed; ask again with the file",
  ),
  says: described(
    nullable(
      Type.Union([
        Type.Literal("named"),
        Type.Literal("no_mark"),
        Type.Literal("no_copies"),
        Type.Literal("not_found"),
      ]),
    ),
    "What came of it; null until it is done",
  ),
  method: described(
    nullable(Type.Union([Type.Literal("exact"), Type.Literal("informed"), Type.Literal("blind")])),
    "How it was found; null where nobody is named",
  ),
  trackId: nullable(Type.String()),
  versionId: nullable(Type.String()),
  title: nullable(Type.String()),
  excerpt: Part("The part of the track that it is, seconds"),
  at: Part("Where that is in the file, seconds"),
  candidates: Type.Array(LeakCandidate, { description: "Whose copy it may be, the surest first" }),
  codesTried: Type.Integer({ minimum: 0, description: "How many codes the bound allows for" }),
});
export type Leak = Static<typeof Leak>;
