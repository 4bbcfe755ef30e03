import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fluidsynth } from "../eval-audio/fluidsynth.ts";
import { midiBytes, type Score } from "../eval-audio/midi-file.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { STEM_HZ } from "../train-instruments/banks.ts";
import { effectOf } from "../train-instruments/effects.ts";
import { genresOf } from "../train-instruments/line-ups.ts";
import { DRUMS, PLAYERS } from "../train-instruments/players.ts";
import { played as arranged } from "../train-tagger/arrangement.ts";
import { STYLES } from "../train-tagger/styles.ts";
import { drawEnsemble } from "./ensembles.ts";
import { createRecordedPlayer, RECORDED_PROGRAMS } from "./recorded.ts";
import { createKeeper, type Line, piecesIn } from "./rows.ts";
import { playWithSonivox } from "./sonivox.ts";

/**
 * Who plays a piece: Debian's csound-soundfont, timidity with freepats, the telephones' synthesiser, the sounds that Java
 * computes, or recorded tones, without drums.
 */
export type Font = "csound" | "freepats" | "sonivox" | "gervill" | "recorded";

const SOUNDFONT = "/usr/share/sounds/sf2/sf_GMbank.sf2";
const GERVILL = "gervill.sf2";
const SECONDS = 20;
/** As loud as the mixes are. */
const LEVEL = 0.15;
const PASSAGES = 4;
const SEEDS: Readonly<Record<Font, number>> = {
  csound: 5_000_000,
  freepats: 7_000_000,
  recorded: 8_000_000,
  sonivox: 9_000_000,
  gervill: 10_000_000,
};

/** Hears what is not yet in the font's folder: arranged pieces that it plays, in passages as the ears choose them. */
export async function hearPieces(folder: string, font: Font, count: number): Promise<void> {
  const into = join(folder, font);
  const done = await piecesIn(into);
  const keep = await createKeeper(into, PASSAGES);
  const playRecorded = createRecordedPlayer(folder);
  for (let i = done; i < count; i++) {
    const random = createRandom(SEEDS[font] + i);
    const { layers, hasDrums } = drawEnsemble(random, font === "recorded" ? RECORDED_PROGRAMS : undefined);
    const style = random.pick(STYLES.filter(({ drums }) => drums !== undefined || !hasDrums));
    const drums = hasDrums ? style.drums : undefined;
    const { score } = arranged(random, { ...style, drums }, { layers, hasGenre: true });
    const played =
      font === "recorded" ? await playRecorded(score, SECONDS) : await rendered(folder, font, score);
    const programs = [...layers.map(({ program }) => program), ...(hasDrums ? [DRUMS] : [])];
    await keep(mastered(played, random), labelsOf(programs));
  }
}

function labelsOf(programs: readonly number[]): Pick<Line, "has" | "perhaps"> {
  const known = programs.flatMap((program) => PLAYERS.find((each) => each.program === program) ?? []);
  const genres = Object.entries(genresOf(programs));
  const has = new Set([
    ...known.flatMap((player) => player.has),
    ...(programs.includes(DRUMS) ? ["Drums"] : []),
    ...genres.flatMap(([name, isTrue]) => (isTrue ? [name] : [])),
  ]);
  const open = genres.flatMap(([name, isTrue]) => (isTrue === undefined ? [name] : []));
  const perhaps = new Set([...known.flatMap((player) => player.perhaps), ...open]);
  return { has: [...has], perhaps: [...perhaps].filter((name) => !has.has(name)) };
}

async function rendered(
  folder: string,
  font: Exclude<Font, "recorded">,
  piece: Score,
): Promise<Float32Array> {
  if (font === "sonivox") return await renderedBySonivox(midiBytes(piece));
  const score = join(folder, font, "score.mid");
  await Bun.write(score, midiBytes(piece));
  const played = fluidsynth({ gain: 0.5, hz: 16_000 });
  const command = {
    csound: [...played, SOUNDFONT, score],
    gervill: [...played, join(folder, GERVILL), score],
    freepats: ["timidity", "-Or1sl", "-s", "16000", "-o", "-", score],
  };
  const player = Bun.spawn(command[font], { stdout: "pipe", stderr: "ignore" });
  const bytes = await new Response(player.stdout).arrayBuffer();
  await rm(score);
  return ofBothSides(bytes);
}

async function renderedBySonivox(score: Uint8Array): Promise<Float32Array> {
  const { samples, channels, hz } = playWithSonivox(score, SECONDS);
  const from = ["-f", "s16le", "-ac", String(channels), "-ar", String(hz), "-i", "-"];
  const into = ["-f", "s16le", "-ac", "2", "-ar", String(STEM_HZ), "-"];
  const converter = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", ...from, ...into], {
    stdin: new Blob([new Uint8Array(samples.buffer)]),
    stdout: "pipe",
  });
  return ofBothSides(await new Response(converter.stdout).arrayBuffer());
}

/** Returns the mean of both sides of stereo samples, at most SECONDS. */
function ofBothSides(bytes: ArrayBuffer): Float32Array {
  const stereo = new Int16Array(bytes, 0, Math.min(bytes.byteLength >> 1, 2 * SECONDS * STEM_HZ));
  return Float32Array.from({ length: stereo.length >> 1 }, (_, i) => {
    return ((stereo[2 * i] as number) + (stereo[2 * i + 1] as number)) / 65_536;
  });
}

/** Makes a recording as loud as mixes are, with effects and a limiter. */
function mastered(samples: Float32Array, random: Random): Float32Array {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  const gain = (10 ** random.between(-0.9, 0.3) * LEVEL) / Math.sqrt(power + 1e-12);
  const out = samples.map((value) => gain * value);
  effectOf(random)(out);
  return out.map((value) => Math.tanh(value));
}
