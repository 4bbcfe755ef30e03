import { existsSync } from "node:fs";

/** Returns the path that was given with --generator. @throws Error when there is no such file. */
export function givenGenerator(path: string | undefined): string | undefined {
  if (path !== undefined && !existsSync(path)) throw new Error(`There is no ${path} (--generator)`);
  return path;
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
