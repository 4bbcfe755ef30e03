import { alignment } from "./alignment.ts";
import type { Interpretation, Measure, Said } from "./interpretation.ts";
import { isWithin, mergeSpans, type Span } from "./text.ts";

/** What the readers found, with places in the corrected text, or in the query as it was written. */
export type Found = Omit<Said, "isUnwanted"> & { isUnwanted?: boolean; isAsWritten?: boolean };

/**
 * Puts what was found into the order of the sentence, with places in the query as it was written. The place of something
 * that is ruled out includes the words that rule it out ("no drums"), unless they rule out more than that.
 *
 * @param unwanted The negations of the corrected text.
 */
export function inOrder(
  found: readonly Found[],
  unwanted: readonly Span[],
  { text, query }: { text: string; query: string },
): Said[] {
  const place = alignment(text, query);
  const all = found.flatMap(({ spans }) => spans);
  const widened = (span: Span): Span => {
    const scope = unwanted.find(({ start, end }) => span.start >= start && span.start < end);
    const isAlone = scope && all.filter(({ start }) => isWithin([scope], start)).length === 1;
    return isAlone ? trimmed(text, scope) : span;
  };
  return found
    .map(({ isUnwanted = false, isAsWritten = false, spans, ...rest }): Said => {
      if (isAsWritten) return { ...rest, isUnwanted, spans };
      // "No vocals" asks for an instrumental.
      const isNegation = isUnwanted || rest.about === "vocals";
      const places = (isNegation ? spans.map(widened) : spans).flatMap((span) => place(span) ?? []);
      return { ...rest, isUnwanted, spans: mergeSpans(places) };
    })
    .filter(({ spans }) => spans.length > 0)
    .toSorted((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0));
}

/** Returns the wishes that the brief names or whose scene suggests them, with their places. */
export function foundWishes({ wanted, unwanted }: Pick<Interpretation, "wanted" | "unwanted">): Found[] {
  return [
    ...wanted.flatMap((wish) => (wish.spans ? { about: wish, spans: wish.spans } : [])),
    ...unwanted.flatMap((wish) => (wish.spans ? { about: wish, spans: wish.spans, isUnwanted: true } : [])),
  ];
}

/** Returns the artists that the brief refers to, with their places. */
export function foundNames(references: readonly { name: string; span: Span }[]): Found[] {
  return references.map(({ name, span }) => ({ about: "reference", name, spans: [span] }));
}

/** Returns the spans that nothing found covers: "female voice" is a kind of voice already. */
export function outside(found: readonly Found[], spans: readonly Span[]): Span[] {
  const taken = found.flatMap((piece) => piece.spans);
  return spans.filter((span) => !taken.some(({ start, end }) => start < span.end && span.start < end));
}

/** Returns what can be measured, where the brief speaks of it. */
export function foundMeasures(places: Readonly<Partial<Record<Measure, readonly Span[]>>>): Found[] {
  const found = Object.entries(places).filter(([, spans]) => spans.length > 0);
  // `Object.entries` loses the type of its keys.
  return found.map(([about, spans]) => ({ about: about as Measure, spans }));
}

function trimmed(text: string, { start, end }: Span): Span {
  const words = text.slice(start, end);
  return {
    start: start + (words.length - words.trimStart().length),
    end: end - (words.length - words.replace(/[\s,.;:!?]+$/, "").length),
  };
}
