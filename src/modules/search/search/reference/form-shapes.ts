import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { toIssues } from "../../../../http/issues.ts";
import { invalidField, invalidRequest } from "../../../../kernel/errors.ts";
import type { Span } from "../../../library/sounds/service.ts";
import { MAX_QUERY, SearchRequest } from "../shapes.ts";
import { spanOf } from "./span.ts";

const { limit, constraints, excludeTrackIds, onePerFamily } = SearchRequest.properties;

/** The most of a sound that is measured, in seconds. */
export const MOST_SEC = 600;

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** Body of `POST /tracks/search/reference`. */
export const ReferenceForm = Type.Object({
  file: Type.Optional(
    Type.String({ format: "binary", description: "The sound, at most 200 MB, unless `url` is sent" }),
  ),
  url: Type.Optional(
    Type.String({ description: "Address of the sound", examples: ["https://music.example/temp-track.mp3"] }),
  ),
  fromSec: text("Begin of the part to compare, seconds; with `toSec`", "42"),
  toSec: text("End of the part, 3 s to 10 min after `fromSec`; left out: the whole, its first 10 min", "62"),
  query: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY,
      description: "Prose beside the sound",
      examples: ["slower, no vocals"],
    }),
  ),
  limit: text("1 to 50, 20 by default", "20"),
  constraints: text("JSON, as in `POST /tracks/search`", '{"bpmRange": [90, 110]}'),
  excludeTrackIds: text("JSON, as in `POST /tracks/search`", "[]"),
  onePerFamily: text("`true`: one result per family, the member that fits best", "true"),
});

const Wish = Type.Object({
  query: Type.String({ maxLength: MAX_QUERY }),
  fromSec: Type.Optional(Type.Number({ minimum: 0 })),
  toSec: Type.Optional(Type.Number({ minimum: 0 })),
  ...{ limit, constraints, excludeTrackIds, onePerFamily },
});

/** What is asked for beside the sound. */
export type ReferenceWish = Omit<Static<typeof Wish>, "fromSec" | "toSec"> & { span: Span | undefined };

/** Reads the fields of the form. @throws DomainError `validation_failed`. */
export function readWish(fields: ReadonlyMap<string, string>): ReferenceWish {
  const wish: Record<string, unknown> = { query: fields.get("query") ?? "" };
  for (const name of ["fromSec", "toSec", "limit", "constraints", "excludeTrackIds", "onePerFamily"])
    if (fields.has(name)) wish[name] = parsed(name, fields.get(name) ?? "");
  if (!Value.Check(Wish, wish)) throw invalidRequest(toIssues(Value.Errors(Wish, wish)));
  const { fromSec, toSec, ...rest } = wish;
  const span = spanOf(fromSec, toSec);
  if (span && span.toSec > span.fromSec + MOST_SEC)
    throw invalidField("toSec", "span", `must be at most ${MOST_SEC} s after fromSec`);
  return { ...rest, span };
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(name, "malformed_json", "not well-formed JSON");
  }
}
