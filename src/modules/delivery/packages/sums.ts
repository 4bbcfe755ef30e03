import type { HashOf, PlannedFile } from "./content.ts";

/** Returns `SHA256SUMS` of a package: every file before it, as `sha256sum -c` reads them from the folder of the package. */
export function sumsOf(files: readonly PlannedFile[], root: string, hashOf: HashOf): string {
  return files
    .filter(({ content }) => content.is !== "sums")
    .map(({ path }) => `${hashOf(path)}  ${path.slice(root.length + 1)}\n`)
    .join("");
}
