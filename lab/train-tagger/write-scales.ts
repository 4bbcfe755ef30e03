import { join } from "node:path";
import { HEARD_SCALES } from "../../src/ears/heard-scales.ts";

type Scale = { centre: number; width: number };
const PATH = join(import.meta.dir, "../../src/ears/heard-scales.ts");
const DIGITS = 4;

/** Returns how far the scales in force are from these, in widths, at most: their music may have changed since. */
export function farthestScale(scales: readonly Scale[]): number {
  const distances = HEARD_SCALES.map(
    ([centre], i) => Math.abs(centre - centreOf(scales[i])) / widthOf(scales[i]),
  );
  return Math.max(...distances);
}

/**
 * Writes the centre and width of each log-odds that the ears hear into src/ears/heard-scales.ts.
 *
 * @throws Error when there is not one for each of those in force.
 */
export async function writeScales(scales: readonly Scale[]): Promise<void> {
  if (scales.length !== HEARD_SCALES.length)
    throw new Error(`${scales.length} scales: not those of the ears`);
  const lines = scales.map(({ centre, width }) => `  [${rounded(centre)}, ${rounded(width)}],`);
  await Bun.write(
    PATH,
    `/**
 * Centre and width of each log-odds that the ears hear, over the pieces of lab/train-heard.ts, which writes them.
 * Changing a number changes what vectors mean: raise SOUND_VERSION with it.
 */
export const HEARD_SCALES: readonly (readonly [centre: number, width: number])[] = [
${lines.join("\n")}
];
`,
  );
  await Bun.$`bunx biome format --write ${PATH}`.quiet();
}

const centreOf = (scale: Scale | undefined) => scale?.centre ?? 0;
const widthOf = (scale: Scale | undefined) => scale?.width ?? 1;
const rounded = (value: number) => Number(value.toPrecision(DIGITS));
