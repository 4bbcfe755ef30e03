import { PASSAGE_SAMPLES } from "../../src/ears/passages.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { PHRASE_SAMPLES, type Phrase, type Stem } from "./banks.ts";
import { effectOf } from "./effects.ts";
import { DRUMS, KINDS, PLAYERS } from "./players.ts";

/** A made-up piece of a few passages: who plays, from which groups of banks, and names that are unknown. */
export type Mix = {
  index: number;
  groups: string[];
  programs: number[];
  has: string[];
  perhaps: string[];
};

export const PASSAGES_OF_MIX = 2;
/** A passage as the ears take it: some samples more, of which the last frame is made. */
export const MIX_SAMPLES = PASSAGE_SAMPLES + 256;

/** How many players a piece has, and how often. */
const SIZES = [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4];
const ALONE_BANK = 0.75;

export type Stems = ReadonlyMap<string, readonly Stem[]>;

/** Returns the passages of the mix of a number, and what is known of it. */
export function mixOf(
  index: number,
  stems: Stems,
  banks: readonly string[],
): { mix: Mix; passages: Float32Array[] } {
  const random = createRandom(700_000 + index);
  const isAlone = random.chance(ALONE_BANK);
  const bank = random.pick(banks);
  const players = drawPlayers(random, () => stems.get(isAlone ? bank : random.pick(banks)) ?? []);
  const hasDrums = random.chance(players.length > 2 ? 0.5 : 0.12);
  if (hasDrums) players.push(drawDrums(random, stems, isAlone ? bank : undefined));
  const effect = effectOf(random);
  const gains = players.map(() => 10 ** (random.normal(3.5) / 20));
  const level = 10 ** random.between(-0.9, 0.3);
  const passages = Array.from({ length: PASSAGES_OF_MIX }, () => {
    const out = new Float32Array(MIX_SAMPLES);
    for (const [i, player] of players.entries()) add(out, random.pick(player.phrases), gains[i] ?? 1, random);
    const scale = level / Math.sqrt(players.length);
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) * scale;
    effect(out);
    return out.map((value) => Math.tanh(value));
  });
  return { mix: described(index, players, hasDrums), passages };
}

function drawPlayers(random: Random, stemsOf: () => readonly Stem[]): Stem[] {
  const count = random.pick(SIZES);
  const players: Stem[] = [];
  for (let tries = 0; players.length < count && tries < 50; tries++) {
    const kind = random.pick(KINDS);
    const found = stemsOf().filter(({ program }) => kind.includes(program));
    if (found.length > 0) players.push(random.pick(found));
  }
  return players;
}

function drawDrums(random: Random, stems: Stems, bank: string | undefined): Stem {
  const all = [...stems.values()].flat().filter(({ program }) => program === DRUMS);
  const own = all.filter((stem) => stem.bank.name === bank);
  return random.pick(own.length > 0 && random.chance(0.5) ? own : all);
}

/** Adds a phrase from a random moment on, repeated until the end. */
function add(out: Float32Array, { samples, gain: own }: Phrase, gain: number, random: Random): void {
  const start = Math.floor(random.unit() * PHRASE_SAMPLES);
  for (let i = 0; i < out.length; i++)
    out[i] = (out[i] as number) + own * gain * (samples[(start + i) % PHRASE_SAMPLES] as number);
}

function described(index: number, players: readonly Stem[], hasDrums: boolean): Mix {
  const known = players.flatMap(({ program }) => PLAYERS.find((each) => each.program === program) ?? []);
  const has = new Set(known.flatMap((player) => player.has));
  if (hasDrums) has.add("Drums");
  const melodic = players.filter(({ program }) => program !== DRUMS);
  return {
    index,
    groups: [...new Set(melodic.map(({ bank }) => bank.group))],
    programs: players.map(({ program }) => program),
    has: [...has],
    perhaps: [...new Set(known.flatMap((player) => player.perhaps))].filter((name) => !has.has(name)),
  };
}
