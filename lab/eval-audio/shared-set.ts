import { existsSync } from "node:fs";
import { join } from "node:path";

/** Path of the shared generator, which all analysers are judged by: beside the checkout. */
const BESIDE = join(import.meta.dir, "../../../shared/eval/audio/generate.py");

/** Returns the path of the shared generator: the given path, or the one beside the checkout if it exists. */
export function findGenerator(given: string | undefined): string | undefined {
  return [given ?? BESIDE].find((path) => existsSync(path));
}

/**
 * Renders the generator's 72 clips for a seed into `folder`, with their truth. Renders nothing without a generator.
 */
export async function renderSharedSet(
  generator: string | undefined,
  folder: string,
  seed: number,
): Promise<void> {
  if (generator === undefined) return;
  const python = Bun.spawn(["python3", generator, folder, String(seed)], { stderr: "inherit" });
  if ((await python.exited) !== 0) throw new Error(`${generator} failed`);
}
