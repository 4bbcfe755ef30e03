import { join } from "node:path";
import { Glob } from "bun";

/** What has to change beside the statements, each counted in the lines of the program. */
const COUNTED: readonly [what: string, pattern: RegExp, files: RegExp][] = [
  ["functions that modules export and that answer at once", /^export function /gm, /^src\/modules\/.*\.ts$/],
  ["calls that run a statement", /\.(?:get|all|run|iterate|values)\((?!.*=>)/g, /^(?:src|db)\//],
  ["calls of transact", /\btransact\(/g, /^src\//],
  ["statements in SQL", /\.(?:prepare|query)</g, /^(?:src|db)\//],
  ["statements of drizzle", /\.(?:select|insert|update|delete)\((?:\w+(?:\.\w+)*|\{)?/g, /queries\.ts$/],
  ["sql fragments", /\bsql(?:<\w+>)?`/g, /^(?:src|db)\//],
  ["lines with full-text search", /^.*\b(?:MATCH|fts5|track_text|library_words)\b.*$/gm, /^src\//],
];

/** Counts the work in a checkout. */
export async function countWork(root: string): Promise<[what: string, count: number][]> {
  const counts = COUNTED.map(([what]) => [what, 0] as [string, number]);
  for await (const file of new Glob("{src,db}/**/*.{ts,tsx,sql}").scan(root)) {
    const text = await Bun.file(join(root, file)).text();
    COUNTED.forEach(([, pattern, files], at) => {
      const count = counts[at];
      if (count && files.test(file)) count[1] += text.match(pattern)?.length ?? 0;
    });
  }
  return counts;
}
