import { join } from "node:path";
import { copyOf } from "../../src/media/retag/copy.ts";
import { retag } from "../../src/media/retag/retag.ts";
import { withFile } from "../../src/media/view/file-window.ts";
import { soundOf, tagsFor } from "./copies.ts";
import { mutate, numbers } from "./mutate.ts";
import type { Original } from "./originals.ts";

type Options = { folder: string; mutations: number; seed: number; say: (text: string) => void };

/** Breaks containers. @returns How many copies are worse than what they were made of. */
export async function checkMutations(
  originals: readonly Original[],
  { folder, mutations, seed, say }: Options,
): Promise<number> {
  const below = numbers(seed);
  const counts = { untouched: 0, written: 0, bad: 0 };
  const small = originals.filter(({ path }) => Bun.file(path).size < 600_000);
  const began = performance.now();
  for (let count = 0; count < mutations; count += 1) {
    const original = small[count % small.length];
    if (!original) break;
    const ending = original.name.split(".").at(-1);
    const [from, to] = [join(folder, `broken.${ending}`), join(folder, `broken-copy.${ending}`)];
    await Bun.write(from, mutate(await Bun.file(original.path).bytes(), below));
    const problem = await problemOf(from, to, counts);
    if (problem === undefined) continue;
    counts.bad += 1;
    say(`  mutation ${count} of ${original.name}: ${problem}`);
    if (process.env.KEEP) await Bun.write(join(process.env.KEEP, `${count}.${ending}`), Bun.file(from));
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  say(
    `${mutations} broken containers in ${seconds} s: ${counts.untouched} copied as they are, ${counts.written} with tags, ${counts.bad} worse than before`,
  );
  return counts.bad;
}

async function problemOf(
  from: string,
  to: string,
  counts: { untouched: number; written: number },
): Promise<string | undefined> {
  try {
    const { pieces, sizeBytes, written } = await withFile(from, (file) => retag(file, tagsFor(1)));
    await Bun.write(to, new Response(await copyOf(from, pieces).open()));
    const bytes = Bun.file(to).size;
    if (bytes !== sizeBytes) return `${bytes} bytes, not ${sizeBytes}`;
    if (written.length === 0) {
      counts.untouched += 1;
      const isSame = Buffer.compare(await Bun.file(from).bytes(), await Bun.file(to).bytes()) === 0;
      return isSame ? undefined : "not copied as it is";
    }
    counts.written += 1;
  } catch (error) {
    return String(error);
  }
  const [before, after] = [soundOf(from), soundOf(to)];
  return before === after ? undefined : `${before} became ${after}`;
}
