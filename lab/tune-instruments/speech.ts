import { existsSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { HEARD_GENRES } from "../../src/ears/tags.ts";
import { createRandom } from "../eval-audio/random.ts";
import { STEM_HZ } from "../train-instruments/banks.ts";
import { effectOf } from "../train-instruments/effects.ts";
import { appendRows, createListener, NETWORK_ROWS } from "../train-instruments/features.ts";
import { MIX_SAMPLES } from "../train-instruments/mixes.ts";
import type { Line } from "./rows.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "en-us":
    "We walked along the river until the lights of the town came into view, and then nobody said a word for a while.",
  "en-gb":
    "If you want to know what happened next, you will have to ask the captain, because I was asleep the whole time.",
  es: "Nadie sabía por qué la puerta estaba abierta cuando llegaron aquella noche de invierno a la casa.",
  it: "Ogni mattina il vecchio apriva la finestra e guardava il mare senza dire niente a nessuno.",
  pt: "Ninguém sabia porque é que o barco não tinha voltado ao porto naquela tarde de verão.",
  sv: "Ingen visste varför tåget stod stilla mitt i skogen, men alla väntade tålmodigt på morgonen.",
  pl: "Nikt nie wiedział, dlaczego most był zamknięty, więc czekali do rana na małej stacji.",
  ru: "Никто не знал, почему поезд стоит посреди леса, и все терпеливо ждали утра.",
  cs: "Nikdo nevěděl, proč byl most zavřený, a tak čekali až do rána na malém nádraží.",
};
const VOICES = ["", "+m1", "+m2", "+m3", "+m4", "+m5", "+m6", "+m7", "+f1", "+f2", "+f3", "+f4", "+croak"];

/** Hears what is not yet in `into`: passages of a synthesiser that speaks, in which no instrument plays. */
export async function hearSpeech(into: string, count: number): Promise<void> {
  await mkdir(into, { recursive: true });
  const lines = join(into, "mixes.jsonl");
  const done = existsSync(lines) ? (await Bun.file(lines).text()).trim().split("\n").length : 0;
  const listen = await createListener();
  for (let i = done; i < count; i++) {
    const random = createRandom(100 + i);
    const language = random.pick(Object.keys(TEXTS));
    const voice = `${language}${random.pick(VOICES)}`;
    const [rate, pitch] = [random.between(110, 190), random.between(20, 80)].map(Math.round);
    const wav = join(into, "speech.wav");
    await Bun.$`espeak-ng -v ${voice} -s ${rate} -p ${pitch} -w ${wav} ${TEXTS[language]}`.quiet();
    const format = ["-ac", "1", "-ar", String(STEM_HZ), "-f", "f32le", "-"];
    const all = new Float32Array(
      await Bun.$`ffmpeg -nostdin -v error -i ${wav} ${format}`.quiet().arrayBuffer(),
    );
    await rm(wav);
    const from = Math.floor(random.unit() * Math.max(1, all.length - MIX_SAMPLES));
    const passage = new Float32Array(MIX_SAMPLES);
    passage.set(all.subarray(from, from + MIX_SAMPLES));
    const power = passage.reduce((sum, value) => sum + value * value, 0) / passage.length;
    const gain = (10 ** random.between(-0.9, 0.3) * 0.1) / Math.sqrt(power + 1e-9);
    const loud = passage.map((value) => gain * value);
    effectOf(random)(loud);
    const { pooled, inLevels } = listen(loud.map((value) => Math.tanh(value)));
    await appendRows(join(into, "mixes.bin"), [pooled]);
    await appendRows(join(into, NETWORK_ROWS), [inLevels]);
    const line: Line = { has: [], perhaps: [...HEARD_GENRES], shares: [1] };
    await appendFile(lines, `${JSON.stringify(line)}\n`);
  }
}
