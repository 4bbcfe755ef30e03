import type { Random } from "../eval-audio/random.ts";
import { type Arrangement, arrange, played } from "./arrangement.ts";
import { FAMILIES, type Family, type Layer, STYLES } from "./styles.ts";

/** Families that play chords; the others need two players for one. */
const KEYS: readonly Family[] = ["Piano", "Electric Piano", "Organ", "Reeds", "Acoustic Guitar", "Harp"];
const ROLES = ["tune", "broken", "chords", "held", "bass"] as const;
const MELODY = ["tune", "broken"] as const;
const SOLOS = Object.keys(FAMILIES) as Family[];

/**
 * Returns a piece for one or two instruments, or for a band as {@link arrange} makes it. Who plays alone is what makes
 * the instrument itself audible, so most pieces have few players.
 */
export function lineUp(random: Random): Arrangement {
  if (random.chance(0.3)) return arrange(random);
  const style = random.pick(STYLES);
  const families = Array.from({ length: random.chance(0.5) ? 1 : 2 }, () => random.pick(SOLOS));
  const drums = random.chance(0.15) ? style.drums : undefined;
  return played(random, { ...style, drums }, { layers: playersOf(random, families), hasGenre: false });
}

/** Returns two parts for an instrument of keys or strings, and for a soloist one or several. */
function playersOf(random: Random, families: readonly Family[]): Layer[] {
  return families.flatMap((family, index): Layer[] => {
    const program = random.pick<number>(FAMILIES[family]);
    const first: Layer = { role: index === 0 ? random.pick(MELODY) : random.pick(ROLES), family, program };
    const isMore = KEYS.includes(family) || random.chance(0.5);
    return isMore ? [first, { ...first, role: random.pick(ROLES) }] : [first];
  });
}
