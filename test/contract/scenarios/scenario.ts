import type { Answer, Json } from "../../support/app.ts";
import type { Thing } from "../notation.ts";
import type { Call, Person, World } from "../world.ts";

/** A request, and who sends it if not the prepared person. */
export type Attempt = Call & { by?: Person };
export type Prepare = (person: Person, world: World) => Promise<Attempt>;

/** How to make a row answer, which its table does not say. */
export type Scenario = {
  /** Prepares what the row is about, and returns a request that succeeds. */
  happy: Prepare;
  /** Requests that cause each refusal of the row, by `status messageCode`. */
  refusals?: Readonly<Record<string, Prepare>>;
  /** Requests that are answered with `{ok: false}`, by code. */
  inBody?: Readonly<Record<string, Prepare>>;
  /**
   * Makes a list of a given size, by the field's place, where repeating the first item is not enough. May change
   * the call.
   */
  sized?: Readonly<Record<string, (size: number, call: Call, person: Person) => Json>>;
  /** messageCodes that replace `validation_failed` when a field is refused. */
  refusedAs?: Readonly<Record<string, readonly string[]>>;
  /** Returns whether an answer shows the field's default, for rows that change something. */
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

/** Returns an unknown id of the right form. */
export const unknownId = (of: Thing) => `${PREFIXES[of]}_${"019b".padEnd(32, "0")}`;
