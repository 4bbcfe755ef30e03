import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";

export const ROOT = join(import.meta.dir, "../..");

/** Paths of all source files of the program, its scripts and its lab, relative to the repository. */
export const sourceFiles = [...new Glob("{db,src,scripts,lab}/**/*.{ts,tsx}").scanSync(ROOT)]
  .filter((file) => !file.includes("node_modules/"))
  .sort();

export const readSource = (file: string): Promise<string> => Bun.file(join(ROOT, file)).text();

/**
 * Returns the part of the program that a file belongs to: a feature, shared code below the features, or a file at
 * the top.
 */
export function partOf(file: string): string {
  return (
    /^src\/(modules\/\w+\/\w+|console\/(app|shared))\//.exec(file)?.[0] ??
    /^src\/[\w-]+(\/|\.ts$)/.exec(file)?.[0] ??
    /^\w+\//.exec(file)?.[0] ??
    file
  );
}

/** Returns the files that a source imports, including types, and the workers that it starts. */
export function importsOf(file: string, text: string): string[] {
  const specifiers = [
    ...text.matchAll(/\b(?:from|import)\s+"(\.[^"]+)"/g),
    ...text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g),
    ...text.matchAll(/new URL\(\s*"(\.[^"]+)"/g),
  ];
  return specifiers.map((match) => normalize(join(dirname(file), match[1] ?? "")));
}
