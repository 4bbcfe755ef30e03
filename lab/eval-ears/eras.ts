import { indexOfHeard } from "../../src/ears/tags.ts";
import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { HEARD_AS } from "../../src/modules/search/search/heard/heard-tags.ts";

/**
 * Prints the highest probability that the networks give any piece for each decade. None of the pieces is from one of
 * these decades or imitates one, as far as the packages say, so this is how sure the networks are when they are wrong.
 */
export function printEras(pieces: readonly { basis: SuggestionBasis }[]): void {
  console.log(`\neras, which are not suggested: the highest of ${pieces.length} pieces`);
  for (const [category, name, heardAs] of HEARD_AS) {
    if (category !== "eras") continue;
    const tags = heardAs.split(", ").map(indexOfHeard);
    const highest = Math.max(
      ...pieces.flatMap(({ basis: { heard } }) => (heard ? tags.map((tag) => heard[tag] ?? 0) : [])),
    );
    console.log(`  ${name} ${(1 / (1 + Math.exp(-highest))).toFixed(2)}`);
  }
}
