import type { Answer, Json } from "../../support/app.ts";
import type { Thing } from "../notation.ts";
import type { Call, Person, World } from "../world.ts";

/** A request, and who makes it when it is not the person who was asked. */
export type Attempt = Call & { by?: Person };
export type Prepare = (person: Person, world: World) => Promise<Attempt>;

/** What the tests need to know of a row that its table does not say: how to get it to answer. */
export type Scenario = {
  /** Prepares what the row is about, and returns a request that succeeds. */
  happy: Prepare;
  /** Requests that meet each refusal of the row, by `status messageCode`. */
  refusals?: Readonly<Record<string, Prepare>>;
  /** Requests that are answered with `{ok: false}`, by code. */
  inBody?: Readonly<Record<string, Prepare>>;
  /** A list of a size, by the field's place, where repeating the first item will not do. May change the call. */
  sized?: Readonly<Record<string, (size: number, call: Call, person: Person) => Json>>;
  /** messageCodes that a field is refused with in the place of `validation_failed`. */
  refusedAs?: Readonly<Record<string, readonly string[]>>;
  /** Whether an answer shows the field's default, for rows that change something. */
  defaults?: Readonly<Record<string, (data: Json, answer: Answer) => boolean>>;
};
export type Scenarios = Readonly<Record<string, Scenario>>;

const PREFIXES: Readonly<Record<Thing, string>> = {
  track: "trk",
  version: "ver",
  playlist: "pl",
  composer: "shr",
  brief: "brf",
  key: "key",
  "file request": "brf",
};

/** An id of the right form that nothing has. */
export const unknownId = (of: Thing) => `${PREFIXES[of]}_${"019b".padEnd(32, "0")}`;
