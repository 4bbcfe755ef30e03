import { TYPED_WORDS } from "../../db/lexicon.ts";
import { COMPOSITIONS } from "./compositions.ts";
import type { Kind } from "./lexer.ts";
import { compile, type Firsts, firstsOf, type Pattern, SHAPES } from "./pattern.ts";
import { plainOf } from "./text.ts";

/** The phrases of one type, by what they begin with: a text, a kind of piece, or anything. */
export type Phrases = {
  byFirst: ReadonlyMap<string, readonly Pattern[]>;
  byKind: ReadonlyMap<Kind, readonly Pattern[]> | undefined;
  anyFirst: readonly Pattern[];
};

/** A stem, or several, with endings directly behind: "caricat(o|a|i|e)", "neueste[n|r|s]". */
const ENDINGS = /(?:(\p{L}+)|\(([\p{L}|]+)\))(?:\(([\p{L}|]+)\)|\[([\p{L}|]+)\])/u;

const sources = new Map<string, string[]>();
for (const topics of Object.values(TYPED_WORDS))
  for (const [topic, lines] of Object.entries(topics))
    for (const { heads, forms } of lines)
      for (const head of heads) sourcesOf(`${topic}.${head}`).push(...forms.map(written));
for (const { type, patterns } of COMPOSITIONS) sourcesOf(type).push(...patterns);

/** Returns a form as plain text has it, with each stem and each of its endings as one word. */
function written(form: string): string {
  let plain = plainOf(form);
  for (let found = ENDINGS.exec(plain); found; found = ENDINGS.exec(plain)) {
    const [all, stem = "", stems = stem, must, may = must ?? ""] = found;
    const endings = [...may.split("|"), ...(must === undefined ? [""] : [])];
    const words = stems.split("|").flatMap((each) => endings.map((ending) => each + ending));
    plain = plain.replace(all, () => `(${words.join("|")})`);
  }
  return plain;
}

function sourcesOf(type: string): string[] {
  const known = sources.get(type) ?? [];
  sources.set(type, known);
  return known;
}

const compiled = new Map<string, Phrases>();
for (const [type, shape] of Object.entries(SHAPES)) compiled.set(type, indexed([shape]));

/** Returns the heads of each form of a topic, in any language: "half" has the heads `half` and `0.5`. */
export function headsOf(topic: string): ReadonlyMap<string, readonly string[]> {
  const heads = new Map<string, readonly string[]>();
  for (const topics of Object.values(TYPED_WORDS))
    for (const line of Object.entries(topics).find(([name]) => name === topic)?.[1] ?? [])
      for (const form of line.forms.map(plainOf))
        heads.set(form, [...(heads.get(form) ?? []), ...line.heads]);
  return heads;
}

/** Returns every word of the typed phrases of other languages than English. */
export function foreignWords(): string[] {
  const { english: _, ...others } = TYPED_WORDS;
  const lines = Object.values(others).flatMap((topics) => Object.values(topics).flat());
  return lines.flatMap(({ forms }) => forms).flatMap((form) => form.toLowerCase().match(/\p{L}+/gu) ?? []);
}

/**
 * Returns the phrases of a type, compiled at the first call.
 *
 * @throws Error when neither the lexicon nor a composition has the type: a mistake in a rule.
 */
export function phrasesOf(type: string): Phrases {
  const known = compiled.get(type);
  if (known) return known;
  const patterns = sources.get(type)?.map(compile);
  if (!patterns) throw new Error(`No phrase has the type ${type}`);
  const phrases = indexed(patterns);
  compiled.set(type, phrases);
  sources.delete(type);
  return phrases;
}

/** Groups phrases by what they begin with. */
export function indexed(patterns: readonly Pattern[]): Phrases {
  const byFirst = new Map<string, Pattern[]>();
  const byKind = new Map<Kind, Pattern[]>();
  const anyFirst: Pattern[] = [];
  for (const pattern of patterns) {
    const firsts = firstsOf(pattern, ofType);
    if (firsts.isAny || firsts.isEmpty) anyFirst.push(pattern);
    else {
      for (const text of firsts.texts) addTo(byFirst, text, pattern);
      for (const kind of firsts.kinds) addTo(byKind, kind, pattern);
    }
  }
  return { byFirst, byKind: byKind.size > 0 ? byKind : undefined, anyFirst };
}

function ofType(type: string): Firsts {
  const { byFirst, byKind, anyFirst } = phrasesOf(type);
  return {
    texts: new Set(byFirst.keys()),
    kinds: new Set(byKind?.keys()),
    isAny: anyFirst.length > 0,
    isEmpty: false,
  };
}

function addTo<Key>(map: Map<Key, Pattern[]>, key: Key, pattern: Pattern): void {
  const known = map.get(key);
  if (known) known.push(pattern);
  else map.set(key, [pattern]);
}
