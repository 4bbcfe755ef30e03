import { type FactWish, factPieceName } from "../../../../brief/fact-wish.ts";
import type { Interpretation } from "../../../../brief/interpretation.ts";
import type { FactName } from "../../../../kernel/facts.ts";

/** Returns what a reader may ask for; of "explicit or wav" nothing, where one of both is hidden. */
export function seenFacts(facts: readonly FactWish[], isHidden: (fact: FactName) => boolean): FactWish[] {
  const isEither = (one: FactWish, other: FactWish) =>
    one.either !== undefined && one.either === other.either;
  return facts.filter(
    (wish) => !facts.some((other) => isHidden(other.fact) && (other === wish || isEither(other, wish))),
  );
}

/** Returns the pieces of a query without those that speak of facts which its reader does not see. */
export function saidToReader(
  { said }: Interpretation,
  facts: readonly FactWish[],
  seen: readonly FactWish[],
  hidesOrder: boolean,
): Interpretation["said"] {
  const names = new Map(
    facts.map((wish, index) => [factPieceName(index), factPieceName(seen.indexOf(wish))]),
  );
  return said.flatMap((piece) => {
    const name = piece.about === "filter" ? names.get(piece.name ?? "") : undefined;
    if (name === factPieceName(-1) || (piece.about === "order" && hidesOrder)) return [];
    return name === undefined ? piece : { ...piece, name };
  });
}
