import type { Random } from "../eval-audio/random.ts";
import { DRUMS, KINDS } from "./players.ts";

/** Programs that play together in some kind of music; a program that is named twice is drawn twice as often. */
const COMPANIES = {
  strings: [40, 40, 41, 42, 42, 43, 45, 48, 49],
  brass: [56, 56, 57, 58, 60, 60, 61],
  woodwinds: [68, 69, 70, 71, 71, 72, 73, 73, 74],
  chamber: [0, 0, 1, 6, 24, 40, 40, 41, 42, 42, 43, 46, 46, 56, 57, 60, 68, 70, 71, 71, 73, 73],
  orchestra: [8, 9, 11, 14, 42, 45, 46, 48, 48, 49, 52, 56, 57, 60, 61, 61, 68, 70, 71, 73, 73],
  choir: [19, 48, 52, 52, 53, 53, 53],
  organs: [16, 16, 17, 18, 19, 19, 19, 20],
  reeds: [21, 21, 21, 22, 23, 23],
  folk: [15, 21, 21, 22, 24, 25, 25, 32, 40, 40, 73, 74, 104, 105, 105, 106, 109, 110, 110],
  plucked: [6, 15, 24, 24, 25, 25, 45, 46, 46, 104, 105, 106, 107],
  mallets: [8, 9, 10, 11, 11, 12, 13, 14, 108],
  pianos: [0, 0, 1, 1, 2],
  jazz: [0, 1, 11, 26, 32, 32, 32, 56, 59, 64, 65, 66, 66, 67, 71],
  soul: [4, 5, 16, 17, 18, 26, 27, 33, 33, 34, 36, 61, 65, 66],
  rock: [16, 18, 25, 27, 29, 29, 30, 30, 33, 33, 34],
  club: [38, 38, 39, 50, 62, 80, 81, 81, 84, 86, 87, 88, 89, 90, 90, 95],
  score: [0, 46, 48, 49, 50, 52, 60, 61, 88, 89, 91, 92, 93, 94],
} as const satisfies Readonly<Record<string, readonly number[]>>;
type Company = keyof typeof COMPANIES;

/** How many of a company play. */
const SIZES = [2, 2, 2, 3, 3, 4];
/** How often there are drums. */
const DRUMMED: Readonly<Partial<Record<Company, number>>> = {
  folk: 0.4,
  reeds: 0.4,
  jazz: 0.6,
  soul: 0.6,
  rock: 0.75,
  club: 0.6,
  pianos: 0.1,
  score: 0.15,
};
/** How many strangers play together, none of a company. */
const STRANGERS = [2, 2, 2, 3, 3, 4];

/** Programs of a line-up, each as the choice that is left when a bank lacks it; and whether there are drums. */
export type LineUp = { choices: (readonly number[])[]; hasDrums: boolean };

/** Draws a soloist, a company, strangers, or a drummer. */
export function drawLineUp(random: Random): LineUp {
  const kind = random.unit();
  if (kind < 0.03) return { choices: [], hasDrums: true };
  if (kind < 0.33) return { choices: [random.pick(KINDS)], hasDrums: random.chance(0.1) };
  if (kind < 0.55) {
    const choices = Array.from({ length: random.pick(STRANGERS) }, () => random.pick(KINDS));
    return { choices, hasDrums: random.chance(choices.length > 2 ? 0.5 : 0.2) };
  }
  const name = random.pick(Object.keys(COMPANIES) as Company[]);
  const choices = Array.from({ length: random.pick(SIZES) }, () => COMPANIES[name]);
  return { choices, hasDrums: random.chance(DRUMMED[name] ?? 0) };
}

const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const PIANOS = [0, 1, 2];
/** Instruments of concert music, and those with which it is an open question. */
const CONCERT = [
  ...PIANOS,
  6,
  19,
  ...between(40, 43),
  ...between(44, 46),
  48,
  49,
  52,
  53,
  56,
  57,
  58,
  60,
  61,
  ...between(68, 73),
];
const OPEN = [3, ...between(8, 16), 17, 18, 20, 24, ...between(64, 67), 74, 75];
const FOLK = [21, 22, 23, 105, 106, 109, 110];
const FOLK_PAIRS = [24, 25, 15, 104];
const FIDDLES = [40, 73, 74, 72];
const ELECTRIC = [4, 5, ...between(26, 31), ...between(33, 39), 50, 51, 54, 62, 63, ...between(80, 95)];
const HORNS = [56, 57, 59, ...between(64, 67), 71];
const RHYTHM = [...PIANOS, 11, 26, 16, 17];

/** Genres that follow from who plays: true, false, or undefined where the line-up leaves it open. */
export function genresOf(programs: readonly number[]): Readonly<Record<string, boolean | undefined>> {
  const hasDrums = programs.includes(DRUMS);
  const players = programs.filter((program) => program !== DRUMS);
  const every = (some: readonly number[]) => players.every((program) => some.includes(program));
  const any = (some: readonly number[]) => players.some((program) => some.includes(program));
  if (players.length === 0)
    return { Classical: false, Folk: undefined, Jazz: undefined, "Solo Piano": false };
  return {
    Classical: classical(),
    Folk: folk(),
    Jazz: jazz(),
    "Solo Piano": every(PIANOS) && !hasDrums ? true : every([...PIANOS, 3]) ? undefined : false,
  };

  function classical(): boolean | undefined {
    if (hasDrums || !every([...CONCERT, ...OPEN])) return false;
    const isChamber = every(CONCERT) && !every(PIANOS) && players.length < 5;
    return isChamber ? true : undefined;
  }

  function folk(): boolean | undefined {
    if (any(ELECTRIC)) return false;
    if (any(FOLK) && every([...FOLK, ...FOLK_PAIRS, ...FIDDLES, 32, 46])) return true;
    if (any(FIDDLES) && any(FOLK_PAIRS) && every([...FIDDLES, ...FOLK_PAIRS, 32])) return true;
    return any([...FOLK, ...FOLK_PAIRS, ...FIDDLES, 46, 74, 75, 78, 79]) ? undefined : false;
  }

  function jazz(): boolean | undefined {
    const isBand = every([...HORNS, ...RHYTHM, 32, 33, 35]) && players.length > 1;
    if (isBand && any([32]) && (any(HORNS) || any(RHYTHM))) return true;
    if (isBand && any([59, ...between(64, 67)]) && any(RHYTHM)) return true;
    return any([26, 32, 59, 11, ...between(64, 67)]) || isBand ? undefined : false;
  }
}
