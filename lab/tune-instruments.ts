/**
 * Tunes the layer of the ears that hears instruments: what it hears of all names is weighed for each name, on mixes whose
 * players differ from their banks, and calibrated on arranged pieces of whole ensembles, alone, beside what the network of
 * instruments hears, or together with it, as each name is told best. All is linear, so it goes into the weights of the layer.
 * Genres of small ensembles are fitted to who plays.
 *
 * usage: bun lab/tune-instruments.ts FOLDER INSTRUMENTS.BIN [--mixes N] [--pieces N] [--held] [--write]
 * FOLDER has the banks of lab/train-instruments/sources.ts and keeps what was rendered and heard; INSTRUMENTS.BIN is what
 * lab/train-instruments.ts wrote. Needs fluidsynth, timidity, espeak-ng, ffmpeg, and Debian's csound-soundfont, freepats and
 * libsonivox3. Nothing is fitted to pieces by recorded tones or by the sounds that Java computes; `--held` judges by them, and
 * needs gervill.sf2 in FOLDER, see docs/decisions/0138.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createInstruments } from "../src/ears/instruments.ts";
import { HEARD_INSTRUMENTS } from "../src/ears/tags.ts";
import { readInstrumentWeights } from "../src/ears/weights.ts";
import type { PlayerWeights } from "../src/modules/library/analysis/tagger/genres-by-players.ts";
import { hearMixes } from "./train-instruments/features.ts";
import { banksIn } from "./train-instruments/sources.ts";
import {
  boundsIn,
  familyBoundIn,
  genreBoundsIn,
  printCrossed,
  printFamily,
  printJudged,
} from "./tune-instruments/bounds.ts";
import { judgedPiece, type Source } from "./tune-instruments/fit.ts";
import { fitGenres, withGenres } from "./tune-instruments/genres.ts";
import { hearLineUps } from "./tune-instruments/line-ups.ts";
import { hearPieces } from "./tune-instruments/pieces.ts";
import { type Heard, heardIn } from "./tune-instruments/rows.ts";
import { fitSecond } from "./tune-instruments/second.ts";
import { hearSpeech } from "./tune-instruments/speech.ts";
import { byWay, chooseWays, type Development, fitWays, type Way } from "./tune-instruments/ways.ts";
import { writeTuned } from "./tune-instruments/write.ts";

/** Soundfonts that judge each other; the recorded tones are kept back from both. */
const FONTS = ["csound", "freepats"] as const;
/** What nothing is fitted to, but which has a say in the bounds. */
const JUDGE = "sonivox";
const JUDGED = 200;
/** Pieces that are kept back: by recorded tones, and by the sounds that Java computes. */
const HELD = { recorded: 120, gervill: 53 } as const;
const WITHOUT = ["Recorded", "Splendid"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mixes: { type: "string", default: "1080" },
    pieces: { type: "string", default: "400" },
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
await hearPieces(folder, JUDGE, JUDGED);
await hearLineUps(at("judged"));

const layer = await readInstrumentWeights(base);
const instruments = createInstruments(layer);
const mixed = [...(await heardIn(at("varied"), instruments)), ...(await heardIn(at("speech"), instruments))];
const mixes = { heard: mixed, second: fitSecond(mixed, "layer") };
const byFont = await Promise.all(FONTS.map((font) => heardIn(at(font), instruments)));
const lineUps = await heardIn(at("judged"), instruments);
/** What was fitted to the pieces that are not a font's. */
const byOthers = FONTS.map((_, font) => fitWays(mixes, byFont.filter((_, other) => other !== font).flat()));
const ways = chooseWays({
  layer: judgedBy(HEARD_INSTRUMENTS.map(() => "layer")),
  beside: judgedBy(HEARD_INSTRUMENTS.map(() => "beside")),
  together: judgedBy(HEARD_INSTRUMENTS.map(() => "together")),
});
const judged = judgedBy(ways);
const development = [...judged.pieces, ...judged.lineUps];
const fitted = byWay(fitWays(mixes, byFont.flat()), ways);
const tuned = fitted.mappings;
const genres = genresOf(fitted, byFont.flat());
const strange = (await heardIn(at(JUDGE), instruments)).map(judgedByAll);
const judges = [...judged.banks, strange];
const own = new Map([...boundsIn(judges), ...genreBoundsIn(development)]);
const bounds = new Map([...own, ...familyBoundIn(development, own)]);
printCrossed([...FONTS, JUDGE], judges);
printJudged("pieces, each by what was fitted to the other soundfont", judged.pieces, bounds);
printFamily(judged.pieces, bounds);
printJudged("line-ups, the same", judged.lineUps, bounds);
printFamily(judged.lineUps, bounds);
printJudged("pieces of the third bank, by what was fitted to both", strange, bounds);
printFamily(strange, bounds);
if (values.held)
  for (const font of ["recorded", "gervill"] as const) {
    await hearPieces(folder, font, HELD[font]);
    const held = (await heardIn(at(font), instruments)).map(judgedByAll);
    printJudged(`pieces kept back, ${font}`, held, bounds);
    printFamily(held, bounds);
  }
if (values.write)
  await writeTuned(layer, tuned, { bounds, genres, pieces: judged.pieces.length + strange.length });

/** Judges a piece by what is fitted to all of both soundfonts. */
function judgedByAll(piece: Heard) {
  return withGenres(genres, judgedPiece(tuned, piece));
}

/** Judges each font's pieces and line-ups by what is fitted to the other's pieces. */
function judgedBy(ways: readonly Way[]): Development {
  const fonts = byFont.map((pieces, font) => {
    const others = byWay(byOthers[font] as Record<Way, Source>, ways);
    const genres = genresOf(others, byFont.filter((_, other) => other !== font).flat());
    const own = lineUps.filter((_, i) => i % FONTS.length === font);
    return [pieces, own].map((all) =>
      all.map((piece) => withGenres(genres, judgedPiece(others.mappings, piece))),
    );
  });
  const [pieces = [], own = []] = [0, 1].map((set) => fonts.flatMap((sets) => sets[set] ?? []));
  return { pieces, lineUps: own, banks: fonts.map((sets) => sets.flat()) };
}

/** Fits genres to who plays in pieces, as they are heard by what was not fitted to them. */
function genresOf({ unheard }: Required<Source>, pieces: readonly Heard[]): PlayerWeights[] {
  return fitGenres(pieces.map((piece, i) => judgedPiece(unheard(i), piece)));
}
