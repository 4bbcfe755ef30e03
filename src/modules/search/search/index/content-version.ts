import { CATEGORIES, TAXONOMY, TAXONOMY_VERSION } from "../../../../../db/taxonomy.ts";
import { RANKING_VERSION } from "../ranking/ranking-version.ts";

/**
 * Changes with every change to the layout of a file, or to how its values are derived from the database. A test checks
 * it against the bytes of a made-up library.
 */
const FORMAT = 9;

/** Returns what the file of an index depends on besides the database; this program cannot use a file with another value. */
export function contentVersion(): string {
  const tags = CATEGORIES.map((category) => TAXONOMY[category].map(({ id }) => id));
  const taxonomy = Bun.hash.xxHash64(JSON.stringify(tags)).toString(16);
  return `${FORMAT}-${RANKING_VERSION}-${TAXONOMY_VERSION}-${taxonomy}`;
}
