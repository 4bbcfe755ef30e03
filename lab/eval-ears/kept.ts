import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a function that measures each key once and keeps the result in measured.jsonl of `folder`, so that an
 * interrupted run goes on where it stopped.
 */
export async function readKept<Result>(
  folder: string,
): Promise<(key: string, measure: () => Promise<Result>) => Promise<Result>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "measured.jsonl");
  const kept = new Map<string, Result>();
  if (existsSync(path))
    for (const line of (await Bun.file(path).text()).trim().split("\n")) {
      const { key, result } = JSON.parse(line) as { key: string; result: Result };
      kept.set(key, result);
    }
  return async (key, measure) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const result = await measure();
    kept.set(key, result);
    await appendFile(path, `${JSON.stringify({ key, result })}\n`);
    return result;
  };
}
