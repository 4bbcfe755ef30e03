/**
 * Tunes the layer of the ears that hears instruments: what it hears of all names is weighed for each name, on mixes whose
 * players differ from their banks, and calibrated on arranged pieces of whole ensembles, together with what the network of
 * instruments hears where that helps. All is linear, so it goes into the weights of the layer. Genres of small ensembles are
 * fitted to who plays.
 *
 * usage: bun lab/tune-instruments.ts FOLDER INSTRUMENTS.BIN [--mixes N] [--pieces N] [--held] [--write]
 * FOLDER has the banks of lab/train-instruments/sources.ts and keeps what was rendered and heard; INSTRUMENTS.BIN is what
 * lab/train-instruments.ts wrote. Needs fluidsynth, timidity, espeak-ng, ffmpeg, and Debian's csound-soundfont and
 * freepats. Nothing is fitted to pieces by recorded tones; `--held` judges by them.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createInstruments } from "../src/ears/instruments.ts";
import { HEARD_INSTRUMENTS } from "../src/ears/tags.ts";
import { readInstrumentWeights } from "../src/ears/weights.ts";
import { hearMixes } from "./train-instruments/features.ts";
import { banksIn } from "./train-instruments/sources.ts";
import { boundsIn, genreBoundsIn, type Judged, printJudged } from "./tune-instruments/bounds.ts";
import { byNetwork, type Development } from "./tune-instruments/by-network.ts";
import { calibrated, fitSecond, type Mapping, mapped } from "./tune-instruments/fit.ts";
import { fitGenres, withGenres } from "./tune-instruments/genres.ts";
import { hearLineUps } from "./tune-instruments/line-ups.ts";
import { hearPieces } from "./tune-instruments/pieces.ts";
import { type Heard, heardIn, meansOf } from "./tune-instruments/rows.ts";
import { hearSpeech } from "./tune-instruments/speech.ts";
import { writeTuned } from "./tune-instruments/write.ts";

/** Soundfonts that judge each other; the recorded tones are kept back from both. */
const FONTS = ["csound", "freepats"] as const;
/** Recorded tones that are kept back. */
const HELD = 120;
const WITHOUT = ["Recorded", "Splendid"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mixes: { type: "string", default: "1080" },
    pieces: { type: "string", default: "220" },
    held: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [folder, base] = positionals;
if (folder === undefined || base === undefined)
  throw new Error(
    "usage: bun lab/tune-instruments.ts FOLDER INSTRUMENTS.BIN [--mixes N] [--pieces N] [--held] [--write]",
  );
const banks = banksIn(folder).filter(({ name }) => !WITHOUT.includes(name));
const at = (name: string) => join(folder, name);
await hearMixes(folder, banks, { count: Number(values.mixes), isVaried: true, into: at("varied") });
await hearSpeech(at("speech"), 80);
for (const font of FONTS) await hearPieces(folder, font, Number(values.pieces));
await hearLineUps(at("judged"));

const layer = await readInstrumentWeights(base);
const instruments = createInstruments(layer);
const second = fitSecond([
  ...(await heardIn(at("varied"), instruments)),
  ...(await heardIn(at("speech"), instruments)),
]);
const byFont = await Promise.all(FONTS.map((font) => heardIn(at(font), instruments)));
const lineUps = await heardIn(at("judged"), instruments);
const none = HEARD_INSTRUMENTS.map(() => false);
const isByNetwork = byNetwork(judgedBy(none), judgedBy(none.map(() => true)));
const judged = judgedBy(isByNetwork);
const genreBounds = genreBoundsIn([...judged.pieces, ...judged.lineUps]);
const bounds = new Map([...boundsIn(judged.pieces), ...genreBounds]);
const tuned = calibrated(second, byFont.flat(), isByNetwork);
const genres = fitGenres(byFont.flat().map((piece) => judgedPiece(tuned, piece)));
printJudged("pieces, each by what was fitted to the other soundfont", judged.pieces, bounds);
printJudged("line-ups, the same", judged.lineUps, bounds);
if (values.held) {
  await hearPieces(folder, "recorded", HELD);
  const held = await heardIn(at("recorded"), instruments);
  printJudged(
    "pieces kept back",
    held.map((piece) => withGenres(genres, judgedPiece(tuned, piece))),
    bounds,
  );
}
if (values.write) await writeTuned(layer, tuned, { bounds, genres, pieces: judged.pieces.length });

/** Judges each font's pieces and line-ups by what is fitted to the other's pieces. */
function judgedBy(isUsed: readonly boolean[]): Development {
  const fonts = byFont.map((pieces, font) => {
    const others = byFont.filter((_, other) => other !== font).flat();
    const mappings = calibrated(second, others, isUsed);
    const genres = fitGenres(others.map((piece) => judgedPiece(mappings, piece)));
    const own = lineUps.filter((_, i) => i % FONTS.length === font);
    return [pieces, own].map((all) => all.map((piece) => withGenres(genres, judgedPiece(mappings, piece))));
  });
  const [pieces = [], own = []] = [0, 1].map((set) => fonts.flatMap((sets) => sets[set] ?? []));
  return { pieces, lineUps: own };
}

function judgedPiece(mappings: readonly Mapping[], piece: Heard): Judged {
  const means = meansOf(piece);
  const probabilities = mappings.map((mapping, j) => 1 / (1 + Math.exp(-mapped(mapping, means, j))));
  return { probabilities, labels: piece.labels };
}
