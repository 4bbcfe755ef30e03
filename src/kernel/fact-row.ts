import type { Need } from "./roles.ts";

/** What the library stores of a track beside its sound, and how answers speak of it. */
export type FactRow = {
  name: string;
  /**
   * `thing`: the track has it or lacks it. `state`: the track is so or is not. `number`: a value of its own.
   * `event`: it happened so often, at times, through somebody.
   */
  kind: "thing" | "state" | "number" | "event";
  /** Who may not do this neither finds nor loses a track by the fact. */
  need?: Need;
  /** How answers say it of a track. */
  says: string;
  /** How answers say the contrary. */
  saysNot: string;
  /** What is counted: one, and several. */
  counted?: readonly [one: string, many: string];
  /** The unit of a number, and what one of it is stored as. */
  unit?: readonly [name: string, stored: number];
  /** A number below this is not this one: music of "8 bit" is no file of 8 bits. */
  least?: number;
  /** Numbers are written without their sign: "louder than 9 LUFS". */
  isNegative?: boolean;
  /** What joins a person, a name, or, by "with", an instrument, to an event. */
  joins?: "by" | "to" | "on" | "with";
  /** What answers call both ends of an order by number: "most played". */
  order?: readonly [least: string, most: string];
  /** The same of an order by the last time: "played longest ago". */
  latest?: readonly [first: string, last: string];
  /** It is kept of those who come through links alone, not of who works here. */
  isOfVisitors?: true;
  /** Another filter of the prose reads it: said alone ("never played"), or with a time too ("uploaded last week"). */
  otherwise?: "alone" | "timed";
  /** Its word is a word of music too, so only "missing" speaks of the fact: "no lyrics" asks for an instrumental. */
  isSound?: boolean;
  /** Its words mean nothing else, so they ask for it inside a sentence about music too: "a ballad in 6/8". */
  isPlain?: boolean;
};
