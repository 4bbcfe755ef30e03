/**
 * Packs what lab/train-network/train.py learns from: five phrases of each player of each bank, one behind the other in
 * phrases.ogg, where each player's are (phrases.json), and drawn line-ups (line-ups.json).
 *
 * usage: bun lab/train-network.ts FOLDER OUT
 * FOLDER has the banks of lab/train-instruments/sources.ts. Needs ffmpeg, and fluidsynth for what is not yet rendered.
 */
import { join } from "node:path";
import { createRandom } from "./eval-audio/random.ts";
import { PHRASE_SAMPLES, type Phrase, renderBank, STEM_HZ } from "./train-instruments/banks.ts";
import { drawLineUp } from "./train-instruments/line-ups.ts";
import { PLAYERS } from "./train-instruments/players.ts";
import { banksIn } from "./train-instruments/sources.ts";

const PHRASES = 5;
const LINE_UPS = 6000;
/** As loud as every phrase is, of int16. */
const LEVEL = 2500;
/** Recorded tones judge, see docs/decisions/0142. */
const WITHOUT = ["Recorded", "Splendid"];

const [folder, out] = Bun.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error("usage: bun lab/train-network.ts FOLDER OUT");
const raw = join(out, "phrases.raw");
const writer = Bun.file(raw).writer();
const index: { bank: string; program: number; first: number; count: number }[] = [];
let first = 0;
for (const bank of banksIn(folder).filter(({ name }) => !WITHOUT.includes(name)))
  for (const { program, phrases } of await renderBank(folder, bank)) {
    const taken = phrases.slice(0, PHRASES);
    for (const phrase of taken) writer.write(evened(phrase));
    index.push({ bank: bank.name, program, first, count: taken.length });
    first += taken.length;
  }
await writer.end();
const format = ["-f", "s16le", "-ar", String(STEM_HZ), "-ac", "1"];
await Bun.$`ffmpeg -y -nostdin -v error ${format} -i ${raw} -c:a libvorbis -q:a 0 ${join(out, "phrases.ogg")}`;
await Bun.file(raw).delete();
await Bun.write(join(out, "phrases.json"), JSON.stringify({ samples: PHRASE_SAMPLES, players: index }));
const random = createRandom(77);
const lineUps = Array.from({ length: LINE_UPS }, () => drawLineUp(random));
await Bun.write(join(out, "line-ups.json"), JSON.stringify({ players: PLAYERS, lineUps }));

/** Returns the samples of a phrase at LEVEL. */
function evened({ samples, gain }: Phrase): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (value) => Math.max(-32_000, Math.min(32_000, 10 * LEVEL * gain * value)));
}
