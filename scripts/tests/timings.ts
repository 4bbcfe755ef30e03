import { existsSync } from "node:fs";
import { join } from "node:path";

type Timings = { version: number; files: Record<string, number> };

/** Sorts the timings that `bun test --update-timings` wrote in any order, and removes files that are gone. */
export async function tidyTimings(root: string, path: string): Promise<void> {
  const file = Bun.file(join(root, path));
  const { version, files }: Timings = await file.json();
  const there = Object.entries(files)
    .filter(([name]) => existsSync(join(root, name)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  await Bun.write(file, `${JSON.stringify({ version, files: Object.fromEntries(there) }, undefined, 2)}\n`);
}
