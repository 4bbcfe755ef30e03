import { type FactWish, factPieceName } from "../../../../brief/fact-wish.ts";
import type { Interpretation } from "../../../../brief/interpretation.ts";

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
