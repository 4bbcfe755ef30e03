import type { Format } from "./answer.ts";
import { Refusal } from "./refusal.ts";

/** What a player sends with a call. An empty text counts as left out. */
export type Parameters = {
  /** Returns the first value of a name. */
  find: (name: string) => string | undefined;
  /** @throws Refusal 10 when it is left out. */
  get: (name: string) => string;
  /** Returns every value of a name, in order; empty ones too, because those of another name may belong to them. */
  list: (name: string) => readonly string[];
  /** Returns a whole number within its limits. @throws Refusal 0 when it is none. */
  count: (name: string, limits: { usual: number; most?: number }) => number;
};

/** Most values that one name may have. */
const MAX_VALUES = 500;

/** Reads the parameters of a call. What the body names counts, whatever the address says. */
export function readParameters(query: URLSearchParams, body?: URLSearchParams): Parameters {
  const listOf = (name: string) => {
    const values = body?.has(name) ? body.getAll(name) : query.getAll(name);
    return values.slice(0, MAX_VALUES);
  };
  const find = (name: string) => listOf(name).find((each) => each !== "");
  return {
    find,
    list: listOf,
    get(name) {
      const value = find(name);
      if (value === undefined) throw new Refusal("missing", `The parameter ${name} is missing`);
      return value;
    },
    count(name, { usual, most = Number.MAX_SAFE_INTEGER }) {
      const text = find(name);
      if (text === undefined) return usual;
      if (!/^\d{1,15}$/.test(text)) throw new Refusal("generic", `${name} must be a whole number`);
      return Math.min(Number(text), most);
    },
  };
}

/** Returns the form of the answer that a call asks for; undefined for one that is not spoken. */
export function formatOf({ find }: Pick<Parameters, "find">): Format | undefined {
  const named = find("f") ?? "xml";
  return named === "json" || named === "xml" ? named : undefined;
}

/**
 * Passes for the versions of the protocol that are spoken here.
 *
 * @throws Refusal 20, 30.
 */
export function checkVersion({ find }: Pick<Parameters, "find">): void {
  const major = /^(\d+)(\.\d+){0,3}$/.exec(find("v") ?? "1.16.1")?.[1];
  if (major === undefined) throw new Refusal("generic", "v must be a version, such as 1.16.1");
  if (Number(major) < 1) throw new Refusal("clientTooOld", "This app speaks a version that is too old");
  if (Number(major) > 1) throw new Refusal("serverTooOld", "This server speaks version 1.16.1");
}
