import type { Section } from "../../src/audio/structure/sections.ts";
import { METRES, SECTION_KINDS } from "../../src/kernel/structures.ts";
import { isTempoFamilyRight, isTempoRight, keyScore } from "../eval-audio/score.ts";
import type { KnownClip, RhythmClip, TrueSection } from "./clip.ts";

/** What an analyser says of a clip; null or empty where it says nothing, undefined where it does not answer at all. */
export type RhythmAnswer = {
  bpm?: number | null;
  key?: string | null;
  metre?: string | null;
  downbeats?: readonly number[];
  swing?: number | null;
  sections?: readonly Section[];
  /** Times where a section ends, of an analyser that does not name sections. */
  borders?: readonly number[];
};
export type Judged = { clip: KnownClip; answer: RhythmAnswer };

/** A beat is met within so much. */
const BEAT_SEC = 0.07;
/** A border of sections is met within so much. */
const BORDER_SEC = 3;
/** The off-beat of music that is called swung. */
const SWUNG = 0.56;

type Score = { right: number; said: number; there: number };

type Row = (what: string, score: Score) => void;

/** Prints precision, recall and count of everything that an analyser says of clips. */
export function printRhythm(analyser: string, judged: readonly Judged[]): void {
  const row: Row = (what, { right, said, there }) => {
    const [precision, recall] = [right / Math.max(1, said), right / Math.max(1, there)];
    console.log([analyser, what, precision.toFixed(3), recall.toFixed(3), Math.round(there)].join("\t"));
  };
  printTempoAndKey(row, judged);
  printMetres(row, judged);
  printBars(row, judged);
  printBorders(row, judged);
  printSections(
    row,
    judged.filter(({ clip, answer }) => clip.sections && answer.sections),
  );
}

/** Acc1 is within 4 %, Acc2 also of twice, half, three times or a third of it; a key is exact. */
function printTempoAndKey(row: Row, all: readonly Judged[]): void {
  const tempi = all.filter(({ clip, answer }) => clip.bpm && answer.bpm !== undefined);
  const scoreOf = (isRight: typeof isTempoRight): Score => ({
    right: tempi.filter(({ clip, answer }) =>
      isRight(answer.bpm ?? null, { bpm: clip.bpm, levels: clip.levels ?? [1] }),
    ).length,
    said: tempi.filter(({ answer }) => answer.bpm).length,
    there: tempi.length,
  });
  if (tempi.length > 0) {
    row("tempo, Acc1", scoreOf(isTempoRight));
    row("tempo, Acc2", scoreOf(isTempoFamilyRight));
  }
  const keys = all.filter(({ clip, answer }) => clip.key && answer.key !== undefined);
  if (keys.length > 0)
    row("key", {
      right: keys.filter(({ clip, answer }) => keyScore(answer.key ?? null, clip.key ?? "") === 1).length,
      said: keys.filter(({ answer }) => answer.key).length,
      there: keys.length,
    });
}

function printMetres(row: Row, all: readonly Judged[]): void {
  const judged = all.filter(({ clip, answer }) => clip.metre !== undefined && answer.metre !== undefined);
  if (judged.length === 0) return;
  for (const metre of METRES.filter((each) => judged.some(({ clip }) => clip.metre === each)))
    row(`metre ${metre}`, counted(judged, ({ clip }) => clip.metre === metre, ({ answer }) => answer.metre === metre)); // biome-ignore format: one line
  row("metre, all", {
    right: judged.filter(({ clip, answer }) => clip.metre === answer.metre).length,
    said: judged.filter(({ answer }) => answer.metre).length,
    there: judged.length,
  });
}

function printBars(row: Row, judged: readonly Judged[]): void {
  const placed = judged.flatMap(({ clip: { group, barSec, firstSec, sections }, answer: { downbeats } }) =>
    barSec !== undefined && firstSec !== undefined && downbeats
      ? [{ group, there: barLines({ barSec, firstSec, sections }), downbeats }]
      : [],
  );
  for (const group of new Set(placed.map((each) => each.group))) {
    const own = placed.filter((each) => each.group === group);
    row(`downbeats of ${group}`, sumOf(own.map(({ there, downbeats }) => met(there, downbeats, BEAT_SEC))));
  }
  const swung = judged.filter(({ clip, answer }) => clip.swing !== undefined && answer.swing !== undefined);
  if (swung.length > 0)
    row("swing", counted(swung, ({ clip }) => (clip.swing ?? 0.5) > SWUNG, ({ answer }) => (answer.swing ?? 0.5) > SWUNG)); // biome-ignore format: one line
}

function printBorders(row: Row, all: readonly Judged[]): void {
  const scores = all.flatMap(({ clip, answer }) => {
    const said = answer.borders ?? (answer.sections && borders(answer.sections));
    return clip.sections && said ? [met(borders(clip.sections), said, BORDER_SEC)] : [];
  });
  if (scores.length > 0) row("borders of sections", sumOf(scores));
}

function printSections(row: Row, divided: readonly Judged[]): void {
  if (divided.length === 0) return;
  const of = (score: (there: readonly TrueSection[], said: readonly Section[]) => Score) =>
    sumOf(divided.map(({ clip, answer }) => score(clip.sections ?? [], answer.sections ?? [])));
  for (const kind of SECTION_KINDS.filter((each) => each !== "other"))
    row(
      `seconds of ${kind}`,
      of((there, said) => overlap(kind, there, said)),
    );
}

function counted(
  judged: readonly Judged[],
  isThere: (each: Judged) => boolean,
  isSaid: (each: Judged) => boolean,
): Score {
  return {
    right: judged.filter((each) => isThere(each) && isSaid(each)).length,
    said: judged.filter(isSaid).length,
    there: judged.filter(isThere).length,
  };
}

const sumOf = (scores: readonly Score[]): Score =>
  scores.reduce(
    (sum, { right, said, there }) => ({
      right: sum.right + right,
      said: sum.said + said,
      there: sum.there + there,
    }),
    { right: 0, said: 0, there: 0 },
  );

/** The bar lines of a clip that an analyser could have heard. */
function barLines({
  firstSec,
  barSec,
  sections,
}: Pick<RhythmClip, "barSec"> & { firstSec: number; sections: RhythmClip["sections"] }): number[] {
  const until = sections
    ? firstSec + barSec * Math.round(((sections.at(-1)?.startSec ?? 0) - firstSec) / barSec)
    : 43;
  return Array.from(
    { length: Math.max(0, Math.floor((until - firstSec) / barSec) + 1) },
    (_, i) => firstSec + i * barSec,
  );
}

function met(there: readonly number[], said: readonly number[], withinSec: number): Score {
  const end = (there.at(-1) ?? 0) + withinSec;
  const early = said.filter((sec) => sec <= end);
  const left = new Set(early);
  let right = 0;
  for (const sec of there) {
    const near = [...left].find((each) => Math.abs(each - sec) <= withinSec);
    if (near === undefined) continue;
    left.delete(near);
    right++;
  }
  return { right, said: early.length, there: there.length };
}

const borders = (sections: readonly { startSec: number }[]) =>
  sections.slice(1).map(({ startSec }) => startSec);

function overlap(kind: string, there: readonly TrueSection[], said: readonly Section[]): Score {
  const end = said.at(-1)?.endSec ?? (there.at(-1)?.startSec ?? 0) + 10;
  const own = there.map(({ kind: name, startSec }, i) => ({
    kind: name,
    startSec,
    endSec: there[i + 1]?.startSec ?? end,
  }));
  const of = (sections: readonly { kind: string; startSec: number; endSec: number }[]) =>
    sections.filter((each) => each.kind === kind);
  const length = (sections: readonly { startSec: number; endSec: number }[]) =>
    sections.reduce((sum, { startSec, endSec }) => sum + endSec - startSec, 0);
  const right = of(own).reduce(
    (sum, a) =>
      sum +
      of(said).reduce(
        (all, b) => all + Math.max(0, Math.min(a.endSec, b.endSec) - Math.max(a.startSec, b.startSec)),
        0,
      ),
    0,
  );
  return { right, said: length(of(said)), there: length(of(own)) };
}
