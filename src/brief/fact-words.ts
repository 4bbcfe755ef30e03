import { TYPED_WORDS } from "../../db/lexicon.ts";
import { type FactName, findFact } from "../kernel/facts.ts";
import { compile } from "./pattern.ts";
import { indexed, type Phrases } from "./phrases.ts";

/**
 * How a word speaks of a fact: it names it ("cover"), says that it happened ("sent"), that a track is so ("explicit") or is
 * not ("unopened"), which come first ("loudest") or last, is its unit ("LUFS"), its value ("mono"), or more than it ("hi-res").
 */
export type FactRole =
  | "thing"
  | "done"
  | "is"
  | "isn't"
  | "top"
  | "bottom"
  | "unit"
  | "do"
  | "value"
  | "over";

/** A type of words of the lexicon that speak of a fact. */
export type FactWords = { type: string; role: FactRole; fact: FactName; factor: number };

const ROLES: ReadonlySet<string> = new Set<FactRole>([
  "thing",
  "done",
  "is",
  "isn't",
  "top",
  "bottom",
  "unit",
  "value",
  "over",
]);

/** Every such type, in any language. */
export const FACT_WORDS: readonly FactWords[] = wordsOf("fact").flatMap((head) => {
  const [role = "", name = "", factor = "1"] = head.split(" ");
  const fact = ROLES.has(role) ? findFact(name)?.name : undefined;
  return fact ? [{ type: `fact.${head}`, role: role as FactRole, fact, factor: Number(factor) }] : [];
});

/** What the library does not store, or search does not look at, by the heads of the lexicon after "unasked ". */
export const UNASKED: readonly string[] = wordsOf("fact").flatMap((head) =>
  head.startsWith("unasked ") ? [head.slice("unasked ".length)] : [],
);

let opening: Phrases | undefined;

/** The words of all facts at once: a brief that has none of them needs no further look. */
export const anyFactWord = (): Phrases => {
  const types = [...FACT_WORDS.map(({ type }) => type), ...UNASKED.map((name) => `fact.unasked ${name}`)];
  opening ??= indexed([compile(`(${types.map((type) => `<${type}>`).join("|")})`)]);
  return opening;
};

/** Returns the heads of a topic in all languages, each once. */
function wordsOf(name: string): string[] {
  const lines = Object.values(TYPED_WORDS).flatMap(
    (topics) => Object.entries(topics).find(([topic]) => topic === name)?.[1] ?? [],
  );
  return [...new Set(lines.flatMap(({ heads }) => [...heads]))];
}
