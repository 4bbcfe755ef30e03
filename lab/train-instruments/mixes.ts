import { PASSAGE_SAMPLES } from "../../src/ears/passages.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { PHRASE_SAMPLES, type Phrase, type Stem } from "./banks.ts";
import { effectOf } from "./effects.ts";
import { drawLineUp, genresOf } from "./line-ups.ts";
import { DRUMS, PLAYERS } from "./players.ts";
import { type Timbre, timbreOf, varied } from "./timbres.ts";

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

/** How often all players are from one group of banks. */
const ALONE_GROUP = 0.75;

/** Players by the group of their bank. */
export type Stems = ReadonlyMap<string, readonly Stem[]>;

/** How often the players of a varied mix have a timbre of their own. */
const VARIED = 0.65;

/** Returns the passages of the mix of a number, and what is known of it; `isVaried`: players may differ from their banks. */
export function mixOf(index: number, stems: Stems, isVaried = false): { mix: Mix; passages: Float32Array[] } {
  const random = createRandom((isVaried ? 3_700_000 : 700_000) + index);
  const melodic = [...stems.keys()].filter((group) => group !== KITS);
  const group = random.pick(melodic);
  const isAlone = random.chance(ALONE_GROUP);
  const { choices, hasDrums } = drawLineUp(random);
  const players = choices.map((programs) => {
    const own = stems.get(isAlone ? group : random.pick(melodic)) ?? [];
    const fits = ({ program }: Stem) => programs.includes(program);
    const all = own.some(fits) ? own : melodic.flatMap((each) => stems.get(each) ?? []);
    const there = programs.filter((program) => all.some((stem) => stem.program === program));
    const program = random.pick(there);
    return random.pick(all.filter((stem) => stem.program === program));
  });
  if (hasDrums) players.push(drawDrums(random, stems, group));
  const effect = effectOf(random);
  const gains = players.map(() => 10 ** (random.normal(3.5) / 20));
  const level = 10 ** random.between(-0.9, 0.3);
  const hasTimbres = isVaried && random.chance(VARIED);
  const timbres = players.map(({ program }) =>
    hasTimbres ? timbreOf(random, program === DRUMS) : undefined,
  );
  const passages = Array.from({ length: PASSAGES_OF_MIX }, () => {
    const out = new Float32Array(MIX_SAMPLES);
    for (const [i, player] of players.entries())
      add(out, random.pick(player.phrases), { gain: gains[i] ?? 1, timbre: timbres[i], random });
    const scale = level / Math.sqrt(players.length);
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) * scale;
    effect(out);
    return out.map((value) => Math.tanh(value));
  });
  return { mix: described(index, players), passages };
}

const KITS = "kits";

function drawDrums(random: Random, stems: Stems, group: string): Stem {
  const all = [...stems.values()].flat().filter(({ program }) => program === DRUMS);
  const own = all.filter(({ bank }) => bank.group === group);
  return random.pick(own.length > 0 && random.chance(0.5) ? own : all);
}

type Added = { gain: number; timbre: Timbre | undefined; random: Random };

/** Adds a phrase from a random moment on, repeated until the end. */
function add(out: Float32Array, { samples, gain: own }: Phrase, { gain, timbre, random }: Added): void {
  const start = Math.floor(random.unit() * PHRASE_SAMPLES);
  const phrase = Float32Array.from(out, (_, i) => own * (samples[(start + i) % PHRASE_SAMPLES] as number));
  const played = timbre ? varied(phrase, timbre) : phrase;
  for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + gain * (played[i] as number);
}

function described(index: number, players: readonly Stem[]): Mix {
  const programs = players.map(({ program }) => program);
  const known = players.flatMap(({ program }) => PLAYERS.find((each) => each.program === program) ?? []);
  const genres = Object.entries(genresOf(programs));
  const has = new Set(known.flatMap((player) => player.has));
  if (programs.includes(DRUMS)) has.add("Drums");
  for (const [name, isTrue] of genres) if (isTrue) has.add(name);
  const open = genres.flatMap(([name, isTrue]) => (isTrue === undefined ? [name] : []));
  const melodic = players.filter(({ program }) => program !== DRUMS);
  return {
    index,
    groups: [...new Set((melodic.length > 0 ? melodic : players).map(({ bank }) => bank.group))],
    programs,
    has: [...has],
    perhaps: [...new Set([...known.flatMap((player) => player.perhaps), ...open])].filter(
      (name) => !has.has(name),
    ),
  };
}
